'use strict';

const { advisory, required } = require('./levels.cjs');

module.exports = {
  // A hash counts once.
  'debits-paid-again': required(
    'operator-api 4.1.1',
    'A debit that comes again is judged and taken as a new one.',
  ),
  'initial-debit-paid-again': required(
    'operator-api 4.1.1',
    'An initial debit that comes again is taken again.',
  ),
  'credits-paid-again': required('operator-api 4.1.1', 'A credit that comes again is paid again.'),
  'repeat-refused': required(
    'operator-api 4.1.1',
    'A debit or credit that comes again is answered with an error.',
  ),
  'end-repeat-refused': required(
    'operator-api 4.1.1',
    'An end that comes again is answered with an error.',
  ),
  'refusals-forgotten': advisory('D3.1', 'A debit that was declined for funds is judged anew.'),
  'voided-refusals-forgotten': required(
    'operator-api 3.2',
    'A debit that was declined for funds, and then voided, is judged anew.',
  ),
  'debit-twice-in-call-taken': required(
    'operator-api 4.1.1',
    'A debit that stands twice in one call is taken twice.',
  ),
  'call-known-by-its-first-credit': required(
    'operator-api 4.1.1',
    'A call that begins with a known credit is answered as a repeat, with all it holds.',
  ),
  'hash-known-of-other-players': advisory(
    'D3.1',
    "A hash counts as known if it is another player's.",
  ),
  'hash-known-of-other-rounds': advisory(
    'D3.1',
    'A hash counts as known if it is of another round.',
  ),
  'hash-case-folded': advisory('D2.6', 'Hashes that differ in the case of letters are one.'),
  'hash-as-number': required('operator-api 2.1', 'Hashes of digits are compared as numbers.'),
  'hash-trimmed': advisory('D2.6', 'Hashes that differ in spaces around them are one.'),
  'hash-by-type': advisory('D3.2', "A credit with a debit's hash is paid."),
  'hash-as-object-key': advisory(
    'D2.6',
    'A hash like toString, a name of every object, counts as known.',
  ),
  'uuid-demanded': required('operator-api 3.6', 'A hash must have 36 characters.'),
  'other-amount-paid': required(
    'operator-api 4.1.1',
    'A known hash with another amount moves money.',
  ),
  'other-timestamp-paid': required(
    'operator-api 4.1.1',
    'A known hash with another timestamp moves money.',
  ),
  'other-reason-refused': required(
    'operator-api 4.1.1',
    'A known hash with another reason is answered with an error.',
  ),
  'difference-moved': required(
    'operator-api 4.1.1',
    'A known hash with another amount moves the difference.',
  ),
  'other-content-answered-200': advisory(
    'D3.2',
    'A known hash with other content is answered 200.',
  ),
  'repeat-shows-old-balances': advisory(
    'D3.1',
    'A repeated call is answered with the balances of then.',
  ),
  'no-lock': required(
    'operator-api 4.1.1',
    'Calls at the same time see the same balance and the same hashes.',
  ),
  'concurrent-call-500': required(
    'operator-api 4.1.6',
    'A call is answered 500 while another of the player is in flight.',
  ),
  'rounds-forgotten-at-restart': {
    ...required('operator-api 4.1.1', 'A restart forgets rounds and hashes.'),
    durable: true,
  },
  'calls-not-kept': {
    ...required('operator-api 4.1.1', 'A restart forgets the money that moved.'),
    durable: true,
  },
  'credit-repeat-shows-old-balances': advisory(
    'D3.1',
    'A repeated call of credits is answered with the balances of then.',
  ),

  // What is one hash, and one round.
  'hash-by-game': advisory('D3.1', 'A hash is known by its player and game, whatever the round.'),
  'hash-cut-at-32': required(
    'operator-api 4.1.1',
    'Hashes whose first 32 characters are the same are one.',
  ),
  'hash-cut-at-64': advisory('D2.6', 'Hashes whose first 64 characters are the same are one.'),
  'hash-normalised': advisory(
    'D2.6',
    'Hashes that are the same once Unicode is normalised are one.',
  ),
  'round-by-game': required(
    'operator-api 1',
    'A round that comes with another gameCode is another round.',
  ),
  'rounds-shared-by-players': required(
    'operator-api 3.6',
    'Players who send the same gameRound play one round.',
  ),
  'round-case-folded': advisory('D2.6', 'Rounds that differ in the case of letters are one.'),
  'round-trimmed': advisory('D2.6', 'Rounds that differ in spaces around them are one.'),
  'round-cut-at-32': advisory('D2.6', 'Rounds whose first 32 characters are the same are one.'),
  'round-cut-at-64': advisory('D2.6', 'Rounds whose first 64 characters are the same are one.'),
  'round-normalised': advisory(
    'D2.6',
    'Rounds that are the same once Unicode is normalised are one.',
  ),

  // What is forgotten.
  'early-voids-kept-1-s': required(
    'operator-api 3.2',
    'A void that came before its debit is forgotten after a second.',
  ),
  'early-voids-kept-10-s': required(
    'operator-api 3.2',
    'A void that came before its debit is forgotten after 10 seconds.',
  ),
  'early-voids-kept-60-s': required(
    'operator-api 3.2',
    'A void that came before its debit is forgotten after a minute.',
  ),
  'idle-rounds-closed-after-60-s': required(
    'operator-api 3.7',
    'A round is closed when no call of it has come for a minute.',
  ),
  'one-early-void-kept': required(
    'operator-api 3.2',
    'Only the latest of the voids that came before their debits is known.',
  ),
  '50-hashes-kept': required('operator-api 4.1.1', 'Only the last 50 hashes are known.'),
  '300-hashes-kept': required('operator-api 4.1.1', 'Only the last 300 hashes are known.'),
  '8-hashes-of-a-round-kept': required(
    'operator-api 4.1.1',
    'Only the last 8 hashes of a round are known.',
  ),
  'rounds-forgotten-at-the-next': required(
    'operator-api 4.1.1',
    "A player's rounds are forgotten when another one begins.",
  ),
  'closed-rounds-forgotten': required('operator-api 3.3', 'A round is forgotten at its end.'),
  'hashes-of-closed-rounds-forgotten': required(
    'operator-api 4.1.1',
    'The hashes of a round are forgotten at its end.',
  ),
  'voided-rounds-forgotten': required(
    'operator-api 3.4',
    'A round is forgotten when it is voided.',
  ),
  'early-voids-lost-at-restart': {
    ...required('operator-api 3.2', 'A restart forgets the voids that came before their debits.'),
    durable: true,
  },
  'credit-hashes-lost-at-restart': {
    ...required('operator-api 4.1.1', 'A restart forgets the hashes of credits.'),
    durable: true,
  },
  'ends-lost-at-restart': {
    ...required('operator-api 3.3', 'A restart opens the rounds that have ended.'),
    durable: true,
  },
  'voided-rounds-lost-at-restart': {
    ...required('operator-api 3.4', 'A restart opens the rounds that were voided.'),
    durable: true,
  },
  'refusals-lost-at-restart': {
    ...advisory('D3.1', 'A restart forgets what was refused.'),
    durable: true,
  },
  'last-seconds-lost-at-restart': {
    ...required('operator-api 4.1.1', 'A kill loses the calls of the last two seconds.'),
    durable: true,
  },
};
