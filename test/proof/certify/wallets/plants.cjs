'use strict';

// The mistakes that can be planted in the plain wallet. A `required` one breaks the specification of the protocol, an
// `advisory` one only the rules by which this library reads its gaps (D1 to D10), and a `legal` one nothing at all: other
// wallets do so. `durable` ones need a file and a kill.
const required = (rule, wrong) => ({ level: 'required', rule, wrong });
const advisory = (rule, wrong) => ({ level: 'advisory', rule, wrong });
const legal = (rule, wrong) => ({ level: 'legal', rule, wrong });

const PLANTS = {
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
  'discounted-amount-signed': required(
    'operator-api 4.1',
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
  'hash-known-of-other-players': advisory(
    'D3.1',
    "A hash counts as known if it is another player's.",
  ),
  'hash-known-of-other-rounds': advisory(
    'D3.1',
    'A hash counts as known if it is of another round.',
  ),
  'hash-case-folded': advisory('D2.6', 'Hashes that differ in the case of letters are one.'),
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

  // The life of a round.
  'second-initial-debit-accepted': required(
    'operator-api 4.1.3',
    'A second initial debit is taken.',
  ),
  'second-initial-debit-other-id': required(
    'operator-api 4.1.3',
    'A second initial debit is answered 13, not 12.',
  ),
  'first-flag-demanded': advisory(
    'D2.3',
    'A debit without isFirstDebit is a follow-up, also in a new round.',
  ),
  'follow-up-opens-round': advisory(
    'D4.3',
    'A follow-up debit of a round that never started is taken.',
  ),
  'credit-before-start-paid': advisory('D4.3', 'A credit of a round that never started is paid.'),
  'debit-after-end-accepted': required('operator-api 3.3', 'A debit after the end is taken.'),
  'credit-after-end-accepted': required('operator-api 3.3', 'A credit after the end is paid.'),
  'failed-initial-debit-opens': required(
    'operator-api 3',
    'A declined initial debit leaves its round open.',
  ),
  'failed-follow-up-closes': required(
    'operator-api 3',
    'A declined follow-up debit closes the round.',
  ),
  'credit-after-failed-debit-paid': required(
    'operator-api 3.1',
    'A credit behind a declined debit of its call is paid.',
  ),
  'credit-after-failed-debit-paid-later': required(
    'operator-api 3.1',
    'A credit of a call after a declined debit is paid.',
  ),
  'debit-after-failed-debit-taken': advisory(
    'D4.5',
    'A debit behind a declined debit of its call is taken.',
  ),
  'processed-in-reverse': required(
    'operator-api 4.1.1',
    'The transactions of a call are processed last first.',
  ),
  'all-or-nothing': required(
    'operator-api 2.3',
    'A failed call is rolled back, and listed as processed.',
  ),
  'end-refused': required('operator-api 2.1', 'An end is refused.'),
  'end-not-closing': required('operator-api 3', 'An end leaves the round open.'),
  'end-currency-demanded': required('operator-api 2.1', 'An end without currency is refused.'),
  'second-end-refused': advisory('D4.8', 'A second end of a closed round is refused.'),

  // Voids.
  'void-without-effect': required('operator-api 3', 'A void is answered 200 and reverses nothing.'),
  'void-of-unknown-refused': required('operator-api 3.2', 'A void of an unknown hash is refused.'),
  'void-of-unknown-forgotten': required(
    'operator-api 3.2',
    'A debit is taken though its void came before.',
  ),
  'late-debit-answered-200': advisory('D5.5', 'A debit whose void came before is answered 200.'),
  'void-pays-twice': required('operator-api 3', 'A void pays the debit back twice.'),
  'void-repeat-refused': required(
    'operator-api 4.1.1',
    'A void that comes again is answered with an error.',
  ),
  'void-refused-on-closed': required('operator-api 3.3', 'A void of a closed round is refused.'),
  'void-refused-on-voided': required('operator-api 3.3', 'A void of a voided round is refused.'),
  'void-keeps-credits': required(
    'operator-api 3',
    'A void of the first debit leaves the credits paid.',
  ),
  'void-takes-one-credit': required(
    'operator-api 3',
    'A void of the first debit takes back one credit alone.',
  ),
  'void-keeps-follow-ups': required(
    'operator-api 3',
    'A void of the first debit keeps the follow-up debits.',
  ),
  'void-leaves-round-open': required(
    'operator-api 3',
    'A round is open after the void of its first debit.',
  ),
  'follow-up-void-voids-round': required(
    'operator-api 3',
    'A void of a follow-up debit voids the whole round.',
  ),
  'follow-up-void-keeps-credits': advisory(
    'D5.3',
    'A credit behind a voided follow-up debit stays paid.',
  ),
  'void-pays-its-own-amount': required(
    'operator-api 3',
    'A void pays the amount that it names, not what was taken.',
  ),
  'void-of-declined-pays': required('operator-api 3', 'A void of a declined debit pays money.'),
  'void-of-credit-accepted': advisory('D5.7', "A void with a credit's hash takes the credit back."),
  'reversal-needs-funds': advisory(
    'D5.2',
    'A reversal that the balance does not cover is left out.',
  ),
  'upper-case-void-refused': required('operator-api 2.1', 'VOID in capital letters is refused.'),
  'types-in-small-letters': advisory('D2.3', 'A type is only known in small letters; VOID is too.'),
  'void-amount-demanded': advisory('D5.6', 'A void without an amount is refused.'),
  'voided-round-answered-200': required(
    'operator-api 3.4',
    'A transaction of a voided round is answered 200.',
  ),
  'voided-round-500': required(
    'operator-api 3.4',
    'A transaction of a voided round is answered 500.',
  ),
  'voided-repeat-answered-200': required(
    'operator-api 3.4',
    'A repeated debit of a voided round is answered 200.',
  ),

  // The reply.
  'failure-answered-200': required(
    'operator-api 4.1.2',
    'A call with a failed transaction is answered 200.',
  ),
  'declined-debit-500': advisory('D6.3', 'A declined debit is answered 500.'),
  'declined-credit-500': required('operator-api 4.1.6', 'A declined credit is answered 500.'),
  'unknown-round-500': required(
    'operator-api 4.1.6',
    'A credit of an unknown round is answered 500.',
  ),
  'unknown-player-500': required(
    'operator-api 4.1.6',
    'A credit of an unknown player is answered 500.',
  ),
  'count-unchecked': required('operator-api 4.1.4', 'transactionCount is not compared.'),
  'count-absent-accepted': required('operator-api 4.1.4', 'transactionCount may be absent.'),
  'count-wrong-other-id': required(
    'operator-api 4.1.4',
    'A wrong transactionCount is answered 19, not 16.',
  ),
  'count-checked-late': required(
    'operator-api 4.1.4',
    'A wrong transactionCount is refused after the money moved.',
  ),
  'empty-call-accepted': advisory('D2.2', 'A call without transactions is answered 200.'),
  'processed-of-refused-call': required(
    'operator-api 2.3',
    'A call refused as a whole lists its hashes as processed.',
  ),
  'processed-missing': required('operator-api 4.1', 'hashesProcessed is missing.'),
  'processed-out-of-order': advisory('D6.1', 'hashesProcessed is in the opposite order.'),
  'processed-without-refused': advisory('D6.1', 'hashesProcessed leaves out what was refused.'),
  'processed-without-errors': required(
    'operator-api 2.3',
    'hashesProcessed lists the refused without errorCode.',
  ),
  'balances-of-before': required(
    'operator-api 4.1',
    'The balances of a reply are those of before the call.',
  ),
  'balances-missing': required('operator-api 4.1', 'A successful reply has no balances.'),
  'balances-missing-on-refusal': advisory('D6.2', 'A refusal has no balances.'),
  'balances-without-currency': required('operator-api 2.2', 'Balances have no currency.'),
  'balance-type-cash': required('operator-api 2.2', 'The balance is of type cash: none is real.'),
  'real-balance-missing': required(
    'operator-api 2.2',
    'No balance is real: only the bonus is listed.',
  ),
  'amounts-as-text': required('operator-api 2.2', 'The amounts of balances are texts.'),
  'error-code-missing': required('operator-api 7.2', 'Errors have no errorCode.'),
  'error-code-text': required('operator-api 7.1', 'errorCode is a text, not an object with an id.'),
  'html-errors': required('operator-api 4', 'Errors are pages of HTML.'),
  'reply-as-text': required('operator-api 4', 'Replies are of type text/plain.'),

  // Money.
  'float-money': advisory('D2.5', 'Balances are sums of binary fractions.'),
  'amounts-in-32-bits': required('operator-api 2.1', 'Amounts are kept in 32 bits.'),
  'amounts-by-parse-int': required(
    'operator-api 2.1',
    'Amounts are read up to their first mark: 1e2 is 1, 10.50 is 10.',
  ),
  'decimals-refused': advisory('D2.5', 'An amount of 10.00 is refused.'),
  'decimals-rounded': advisory('D2.5', 'Amounts with too many decimals are rounded.'),
  'negative-amounts-accepted': required(
    'public facts: amount',
    'A negative debit pays, a negative credit takes.',
  ),
  overdraft: required('operator-api 3', 'A debit that the balance does not cover is taken.'),
  'bonus-covers-debits': advisory(
    'D4.10',
    'A debit is covered by the bonus, and taken from the real balance.',
  ),
  'other-currency-accepted': required(
    'operator-api 2.1',
    "Amounts of another currency move the player's money.",
  ),
  'free-play-refused': required('operator-api 4.3', 'A debit paid with a free play is refused.'),
  'free-play-takes-money': required(
    'operator-api 4.3',
    'A debit paid with a free play takes money.',
  ),
  'free-play-amount-demanded': required(
    'operator-api 2.1',
    'A debit paid with a free play must have an amount.',
  ),
  'free-play-amount-accepted': advisory('D2.4', 'A debit paid with a free play may take money.'),
  'boolean-texts-refused': required('public facts: boolean', 'isFirstDebit as "true" is refused.'),
  'false-text-is-true': required(
    'public facts: boolean',
    'isFirstDebit as "false" counts as true.',
  ),
  'discount-ignored': required(
    'public facts: discountAmount',
    'A discounted debit takes the full amount.',
  ),
  'any-discount-taken': advisory(
    'public facts: discountAmount',
    'A discount that was never offered is given.',
  ),
  'zero-credit-refused': required('public facts: amount', 'A credit of 0 is refused.'),
  'unknown-fields-refused': advisory('D2.1', 'A call with a further field is refused.'),

  // getBalance.
  'balance-of-unknown-player-200': required(
    'operator-api 4.2',
    'An unknown player has a balance of 0.',
  ),
  'balance-currency-optional': required(
    'operator-api 4.2',
    'getBalance without currency is answered 200.',
  ),
  'balance-in-other-currency': advisory(
    'D9',
    'A currency that is not of the player is answered 200.',
  ),
  'balance-error-200': required('operator-api 4.2', 'Errors of getBalance are answered 200.'),
  'parameter-twice-accepted': advisory(
    'D9',
    'Of a parameter that is given twice, the last one counts.',
  ),
  'balance-game-refused': required('operator-api 4.2', 'getBalance with a gameCode is refused.'),
  'balance-session-refused': advisory('D9', 'getBalance with an externalSessionId is refused.'),
  'balance-stale': required('operator-api 4.2', 'getBalance answers what it answered first.'),

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
};

module.exports = { PLANTS };
