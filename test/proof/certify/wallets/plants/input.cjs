'use strict';

const { advisory, legal, loaded, required } = require('./levels.cjs');

module.exports = {
  // Hostile input.
  'bad-json-500': advisory('D6.3', 'What is not JSON is answered 500.'),
  'bad-json-crash': required('operator-api 7.2', 'What is not JSON ends the process.'),
  'deep-nesting-500': advisory('D2.1', 'JSON that is nested deeply overflows the stack.'),
  'large-body-500': advisory('D2.1', 'A body of more than 256 KiB is answered 500.'),
  'large-body-accepted': advisory('D2.1', 'A body may be of any size.'),
  'content-type-unread': advisory('D2.1', 'A body of another content type is processed.'),
  'bad-utf8-accepted': advisory('D2.1', 'Bytes that are not UTF-8 are replaced.'),
  'duplicate-keys-accepted': advisory('D2.1', 'Of a key that comes twice, the last one counts.'),
  'proto-keys-accepted': advisory('D2.1', 'A key named __proto__ is accepted.'),
  'unread-amount-500': advisory(
    'D1.5',
    'An amount that is not a number, or far too long, is answered 500.',
  ),

  // Size.
  'calls-beyond-20-refused': advisory('D2.1', 'A call of more than 20 transactions is refused.'),
  'calls-beyond-50-refused': advisory('D2.1', 'A call of more than 50 transactions is refused.'),
  'hashes-beyond-36-refused': advisory('D2.6', 'A hash of more than 36 characters is refused.'),
  'hashes-beyond-64-refused': advisory('D2.6', 'A hash of more than 64 characters is refused.'),
  'rounds-beyond-36-refused': advisory(
    'D2.6',
    'A gameRound of more than 36 characters is refused.',
  ),
  'rounds-beyond-64-refused': advisory(
    'D2.6',
    'A gameRound of more than 64 characters is refused.',
  ),
  'games-beyond-32-refused': advisory('D2.6', 'A gameCode of more than 32 characters is refused.'),

  // What is no mistake.
  'own-error-ids': legal(
    'operator-api 7',
    "Error ids are the wallet's own, where the protocol names none.",
  ),
  'declines-402': legal('operator-api 7.2', 'A debit that is declined for funds is answered 402.'),
  'amounts-with-zeros': legal('operator-api 2.2', 'Balances are written with two decimals.'),
  'bonus-listed-first': legal('operator-api 2.2', 'The bonus is the first of the balances.'),
  'further-reply-fields': legal('operator-api 9', 'Replies have further fields.'),
  'debits-fall-together': legal(
    'operator-api 3',
    'Where a debit of a call fails, none of its new debits is taken.',
  ),
  'one-lock': legal(
    'operator-api 4.1.1',
    'One call at a time is processed, whoever the player is.',
  ),
  'initial-repeat-is-12': legal(
    'operator-api 4.1.3',
    'An initial debit that comes again is answered 12, as a second one.',
  ),
  'connections-closed': legal(
    'operator-api 4',
    'Each connection is closed after its reply, without a word.',
  ),
  'slower-with-each-call': loaded(
    advisory('D7', 'Each 50 calls, an answer takes a millisecond longer.'),
  ),
  'memory-grows': loaded(advisory('D10.1', 'Each call leaves 32 KiB in memory.')),
};
