'use strict';

// The form of a transaction (D2).
const { decimalOf, unitsOf } = require('./plain-amounts.cjs');
const { NumberText, refuse } = require('./plain-messages.cjs');

const TYPES = ['debit', 'credit', 'end', 'void'];

function createTransactions(plant) {
  function readTransaction(item) {
    try {
      return transactionOf(item);
    } catch (error) {
      const isCredit = String(item.type).toLowerCase() === 'credit';
      throw isCredit && plant('malformed-credit-500') ? new Error('unread') : error;
    }
  }

  function transactionOf(item) {
    const hash = identifier(item.hash, 'hash');
    if (plant('hashes-beyond-36-refused') && hash.length > 36) refuse('hash is long');
    if (plant('hashes-beyond-64-refused') && hash.length > 64) refuse('hash is long');
    if (/^[A-Z]{3}$/.test(hash) && !plant('currency-as-hash-accepted'))
      refuse('hash reads as a currency');
    if (plant('uuid-demanded') && hash.length !== 36) refuse('hash is not a UUID');
    const type =
      plant('types-in-small-letters') && item.type !== 'VOID'
        ? item.type
        : String(item.type).toLowerCase();
    if (!TYPES.includes(type)) refuse('type is unknown');
    if (item.type === 'VOID' && plant('upper-case-void-refused')) refuse('type is unknown');
    const isFree =
      booleanOf(item.freePlayUsed, 'freePlayUsed') === true || item.serial !== undefined;
    const amount = amountOf(item.amount, 'amount');
    const isMoney = type === 'debit' || type === 'credit';
    const mayLackAmount = type === 'debit' && isFree && !plant('free-play-amount-demanded');
    if (isMoney && amount === undefined && !mayLackAmount) refuse('amount is missing');
    if (type === 'void' && amount === undefined && plant('void-amount-demanded'))
      refuse('amount is missing');
    if (isMoney && item.currency === undefined) refuse('currency is missing');
    if (type === 'end' && item.currency === undefined && plant('end-currency-demanded'))
      refuse('currency is missing');
    if (item.currency !== undefined && !/^[A-Z]{3}$/.test(item.currency))
      refuse('currency is not three capital letters');
    if (type === 'debit' && isFree && amount && !plant('free-play-amount-accepted'))
      refuse('a free play has an amount');
    if (isFree && type === 'debit' && plant('free-play-refused'))
      refuse('free plays are not supported');
    if (type === 'credit' && amount === 0n && plant('zero-credit-refused'))
      refuse('nothing to pay');
    const discount =
      type === 'debit' ? (amountOf(item.discountAmount, 'discountAmount') ?? 0n) : 0n;
    if (discount > 0n && discount > (amount ?? 0n)) refuse('discountAmount is above amount');
    for (const name of ['timestamp', 'reason', 'serial']) {
      if (item[name] !== undefined && typeof item[name] !== 'string')
        refuse(`${name} is not a text`);
    }
    const saysFirst = type === 'debit' ? booleanOf(item.isFirstDebit, 'isFirstDebit') : undefined;
    return {
      type,
      isInCapitals: item.type === 'VOID',
      hash,
      amount: amount ?? 0n,
      currency: item.currency,
      saysFirst,
      isFree,
      serial: item.serial,
      timestamp: item.timestamp,
      reason: item.reason,
      discount,
    };
  }

  function amountOf(value, name) {
    if (value === undefined) return undefined;
    if (!(value instanceof NumberText) || decimalOf(value.text) === null)
      return refuse(`${name} is not a number`);
    const units = unitsOf(value, plant) ?? refuse(`${name} cannot be kept exactly`);
    return units < 0n && !plant('negative-amounts-accepted')
      ? refuse(`${name} is negative`)
      : units;
  }

  function booleanOf(value, name) {
    if (value === 'false' && plant('false-text-is-true')) return true;
    if (typeof value === 'boolean' || value === undefined) return value;
    if ((value === 'true' || value === 'false') && !plant('boolean-texts-refused'))
      return value === 'true';
    return refuse(`${name} is not a boolean`);
  }

  return { readTransaction };
}

function identifier(value, name) {
  if (typeof value !== 'string' || value.length === 0 || value.length > 128)
    return refuse(`${name} is not an identifier`);
  return value;
}

module.exports = { createTransactions, identifier };
