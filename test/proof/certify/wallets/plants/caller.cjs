'use strict';

const { advisory, required } = require('./levels.cjs');

module.exports = {
  // Who is calling.
  'transactions-unsigned': required(
    'operator-api 5',
    'doTransactions is served whatever its signature.',
  ),
  'balance-unsigned': required('operator-api 5', 'getBalance is served whatever its signature.'),
  'unsigned-200': required(
    'operator-api 7.2',
    'A wrong signature is answered 200, with an errorCode.',
  ),
  'signature-by-prefix': required(
    'operator-api 5.2',
    'Only the first 8 characters of a signature are compared.',
  ),
  'signature-any-case': required(
    'operator-api 5.2',
    'Signatures are compared whatever the case of their letters.',
  ),
  'signature-decoded': advisory(
    'D1.4',
    'A signature in another base64 is accepted: url-safe, or not padded.',
  ),
  'any-secret': required(
    'operator-api 5.2',
    "A signature by any operator's secret is accepted for each operator.",
  ),
  'id-unchecked': required(
    'operator-api 5.1',
    'An unknown X-H-AUTH-ID counts as the first operator.',
  ),
  'only-first-secret': advisory('D1.2', 'Only the first of the current secrets is tried.'),
  'other-operators-players': advisory(
    'D3.1',
    'The players of one operator can be reached by another.',
  ),
  'header-names-in-capitals-alone': advisory(
    'D1.1',
    'The names of headers count by the case of their letters.',
  ),
  'headers-twice-accepted': advisory(
    'D1.1',
    'Of a header that is given twice, the last one counts.',
  ),
  'old-timestamp-accepted': advisory('D1.3', 'A timestamp may be as old as it likes.'),
  'future-timestamp-accepted': advisory('D1.3', 'A timestamp may be far ahead of now.'),
  'timestamp-unread': advisory('D1.3', 'A timestamp that is not a date is accepted.'),
  'milliseconds-demanded': required(
    'operator-api 5.1',
    'A timestamp without milliseconds is refused.',
  ),
  'round-signed-before-game': required(
    'operator-api 4.1',
    'The signed string has gameRound before gameCode.',
  ),
  'balance-game-unsigned': required(
    'operator-api 4.2',
    'The gameCode of getBalance is left out of the signed string.',
  ),
  'amounts-reformatted': advisory(
    'D1.5',
    'Amounts are signed in their shortest form, not as written.',
  ),
  'zero-amount-signed': required('operator-api 4.1', 'An amount of 0 is signed as 0.'),
  'absent-amount-signed': required(
    'operator-api 4.1',
    'An absent amount is signed as an empty text.',
  ),
  'void-amount-unsigned': required(
    'operator-api 4.1',
    'The amount of a void is left out of the signed string.',
  ),
  'discounted-amount-signed': advisory(
    'public facts: discountAmount',
    'A discounted debit is signed with what is taken.',
  ),
  'hash-sign-accepted': advisory('D1.6', 'A signed field may hold a #.'),
  'signature-of-many-bodies': advisory(
    'D1.8',
    'Another body under a known signature is processed.',
  ),
  'signatures-forgotten-at-restart': {
    ...advisory('D1.8', 'A restart forgets which body came with a signature.'),
    durable: true,
  },
  'currency-as-hash-accepted': advisory('D1.8', 'A hash of three capital letters is accepted.'),
  'error-shows-signature': advisory('D8', 'The error of a wrong signature shows the right one.'),
  'credits-unsigned': required(
    'operator-api 5',
    'A call of credits alone is served whatever its signature.',
  ),
  'ends-unsigned': required(
    'operator-api 5',
    'A call of ends alone is served whatever its signature.',
  ),
  'voids-unsigned': required(
    'operator-api 5',
    'A call of voids alone is served whatever its signature.',
  ),
  'free-plays-unsigned': required(
    'operator-api 5',
    'A call of free plays alone is served whatever its signature.',
  ),
  'zero-debits-unsigned': required(
    'operator-api 5',
    'A call of debits of 0 alone is served whatever its signature.',
  ),
  'connection-trusted': required(
    'operator-api 5',
    'A connection that carried a right signature is trusted from then on.',
  ),
  'five-transactions-signed': required(
    'operator-api 4.1',
    'A signature of the first five transactions is accepted for more.',
  ),
  'signature-by-first-16': required(
    'operator-api 5.2',
    'Only the first 16 characters of a signature are compared.',
  ),
  'signature-by-first-32': required(
    'operator-api 5.2',
    'Only the first 32 characters of a signature are compared.',
  ),
  'signature-by-first-40': required(
    'operator-api 5.2',
    'Only the first 40 characters of a signature are compared.',
  ),
  'timestamp-zone-ignored': required(
    'operator-api 5.1',
    'The zone of a timestamp is dropped: 14:00+02:00 is read as 14:00.',
  ),
};
