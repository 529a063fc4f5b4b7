'use strict';

const { advisory, required } = require('./levels.cjs');

module.exports = {
  // Money.
  'float-money': required('operator-api 2.1', 'Balances are sums of binary fractions.'),
  'amounts-in-32-bits': required('operator-api 2.1', 'Amounts are kept in 32 bits.'),
  'amounts-by-parse-int': required(
    'operator-api 2.1',
    'Amounts are read up to their first mark: 1e2 is 1, 10.50 is 10.',
  ),
  'decimals-refused': advisory('D2.5', 'An amount of 10.00 is refused.'),
  'decimals-rounded': advisory('D2.5', 'Amounts with too many decimals are rounded.'),
  'negative-amounts-accepted': advisory(
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
  'boolean-texts-refused': advisory('public facts: boolean', 'isFirstDebit as "true" is refused.'),
  'false-text-is-true': advisory(
    'public facts: boolean',
    'isFirstDebit as "false" counts as true.',
  ),
  'discount-ignored': advisory(
    'public facts: discountAmount',
    'A discounted debit takes the full amount.',
  ),
  'any-discount-taken': advisory(
    'public facts: discountAmount',
    'A discount that was never offered is given.',
  ),
  'zero-credit-refused': advisory('public facts: amount', 'A credit of 0 is refused.'),
  'unknown-fields-refused': advisory('D2.1', 'A call with a further field is refused.'),
  'cents-cut-by-floats': required(
    'operator-api 2.1',
    'Amounts are cents, cut by binary fractions: 0.29 becomes 0.28.',
  ),
  'two-decimals-cut-by-floats': required(
    'operator-api 2.1',
    'Amounts of more than two decimals are refused, the others cut by binary fractions.',
  ),
  'cents-rounded-half-up': required('operator-api 2.1', 'Amounts are rounded half up to cents.'),
  'cents-by-to-fixed': required(
    'operator-api 2.1',
    'Amounts are rounded to cents by toFixed: 1.005 becomes 1.',
  ),
  'two-decimals-kept': required(
    'operator-api 2.1',
    'Of an amount with four decimals two are kept.',
  ),
  'some-cents-lost': required(
    'operator-api 2.1',
    'Of the amounts with cents, one in seven loses a cent.',
  ),
  'some-hundredths-lost': required('operator-api 2.1', 'Amounts that end in .57 lose a hundredth.'),
  'amounts-in-single-floats': required(
    'operator-api 2.1',
    'Amounts are binary fractions of 32 bits.',
  ),
  'balance-cut-by-floats': required(
    'operator-api 2.1',
    'A balance is a sum of binary fractions, cut to four decimals.',
  ),
  'balance-in-single-floats': required(
    'operator-api 2.2',
    'A balance is a binary fraction of 32 bits.',
  ),
  'balance-rounded-to-cents': required(
    'operator-api 2.1',
    'A balance is rounded to cents with each movement.',
  ),
  'twenty-first-credit-dropped': required(
    'operator-api 2.3',
    'The 21st credit of a call is listed as processed and not paid.',
  ),

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
};
