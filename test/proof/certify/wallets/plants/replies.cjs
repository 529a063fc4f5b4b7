'use strict';

const { advisory, required } = require('./levels.cjs');

module.exports = {
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
  'half-failure-answered-200': required(
    'operator-api 4.1.2',
    'A call of which a part failed is answered 200.',
  ),
  'refused-credit-answered-200': required(
    'operator-api 4.1.2',
    'A refused credit is answered 200.',
  ),
  'known-credit-500': required('operator-api 4.1.6', 'A credit that comes again is answered 500.'),
  'malformed-credit-500': required(
    'operator-api 4.1.6',
    'A credit of the wrong form is answered 500.',
  ),
  'processed-without-accepted': required(
    'operator-api 2.3',
    'hashesProcessed leaves out what was done.',
  ),
  'processed-without-known': required(
    'operator-api 4.1.5',
    'hashesProcessed leaves out what was known.',
  ),
  'processed-without-ends': required('operator-api 2.3', 'hashesProcessed leaves out ends.'),
  'processed-with-first-alone': required(
    'operator-api 2.3',
    'hashesProcessed lists the first transaction, and of the others what failed.',
  ),
  'refused-credit-listed-as-paid': required(
    'operator-api 2.3',
    'hashesProcessed lists a refused credit without errorCode.',
  ),
  'top-error-code-missing': advisory(
    'D6.2',
    'A failed call has its errorCode in hashesProcessed alone.',
  ),

  // At once.
  'credits-503-above-4-at-once': required(
    'operator-api 4.1.6',
    'Credits are answered 503 while more than 4 are in flight.',
  ),
  'credits-503-above-16-at-once': required(
    'operator-api 4.1.6',
    'Credits are answered 503 while more than 16 are in flight.',
  ),
  'credits-503-above-64-at-once': required(
    'operator-api 4.1.6',
    'Credits are answered 503 while more than 64 are in flight.',
  ),
};
