'use strict';

const { advisory, required } = require('./levels.cjs');

module.exports = {
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
  'end-before-start-accepted': advisory(
    'D4.3',
    'An end of a round that never started is accepted.',
  ),
  'decline-never-cleared': advisory(
    'D4.5',
    'A declined debit declines the credits of its round for ever.',
  ),
  'decline-cleared-by-refused-credit': required(
    'operator-api 3.1',
    'A declined debit declines one later credit alone.',
  ),
  'decline-of-every-round': required(
    'operator-api 3.1',
    "A declined debit declines the credits of the player's other rounds, too.",
  ),
  'decline-not-cleared-by-void': advisory(
    'D4.5',
    'A declined debit declines later credits though it was voided.',
  ),
  'failure-forgotten-in-the-call': required(
    'operator-api 3.1',
    'What comes behind a declined debit in its call is judged without it.',
  ),
  'failure-forgotten-behind-a-known-debit': required(
    'operator-api 3.1',
    'A repeated debit lets what comes behind it in a failed call pass.',
  ),
  'repeated-failure-not-counted': advisory(
    'D4.5',
    'A declined debit that comes again declines nothing behind it.',
  ),
  'end-after-failed-debit-accepted': advisory(
    'D4.5',
    'An end behind a declined debit of its call is accepted.',
  ),
  'stops-at-first-failure': required(
    'operator-api 3.3',
    'What comes behind a failed transaction is neither processed nor listed, a void neither.',
  ),
  'follow-up-currency-unchecked': required(
    'operator-api 2.1',
    "A follow-up debit in another currency takes the player's money.",
  ),
  'credit-currency-unchecked': required(
    'operator-api 2.1',
    'A credit in another currency is paid.',
  ),

  // Voids.
  'void-without-effect': required('operator-api 3', 'A void is answered 200 and reverses nothing.'),
  'void-of-unknown-refused': required('operator-api 3.2', 'A void of an unknown hash is refused.'),
  'void-of-unknown-forgotten': required(
    'operator-api 3.2',
    'A debit is taken though its void came before.',
  ),
  'late-debit-answered-200': advisory('D5.5', 'A debit whose void came before is answered 200.'),
  'void-pays-twice': required('operator-api 3', 'A void pays the debit back twice.'),
  'void-twice-in-call-pays-twice': required(
    'operator-api 4.1.1',
    'A void that stands twice in one call pays the debit back twice.',
  ),
  'void-repeat-refused': required(
    'operator-api 4.1.1',
    'A void that comes again is answered with an error.',
  ),
  'void-refused-on-closed': required('operator-api 3.3', 'A void of a closed round is refused.'),
  'void-refused-on-voided': required('operator-api 3.3', 'A void of a voided round is refused.'),
  'credit-after-void-in-call-paid': required(
    'operator-api 3.4',
    'A credit that stands behind the void of its round in one call is paid.',
  ),
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
  'void-pays-its-own-amount': advisory(
    'D5.6',
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
  'void-without-effect-on-closed': required(
    'operator-api 3.3',
    'A void of a closed round is answered 200 and reverses nothing.',
  ),
  'void-below-zero-refused': advisory(
    'D5.2',
    'A void that would take the balance below zero is refused.',
  ),
  'void-keeps-later-credits': required(
    'operator-api 3',
    'A void of the first debit takes back the credits of its call alone.',
  ),
  'upper-case-void-without-effect': required(
    'operator-api 2.1',
    'VOID in capital letters is answered 200 and reverses nothing.',
  ),
  'upper-case-void-pays-again': required(
    'operator-api 4.1.1',
    'VOID in capital letters pays a voided debit back again.',
  ),
};
