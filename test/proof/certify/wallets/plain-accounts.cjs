'use strict';

// The money of a player.
const { amountText, unitsOf } = require('./plain-amounts.cjs');

function accountOf({ currency, real, bonus, discounts = [] }, add) {
  return {
    add,
    currency,
    real: startOf(real),
    float: Number(real),
    hasBonus: bonus !== undefined,
    bonus: startOf(bonus ?? 0),
    discounts,
    isBlocked: false,
    wasBlocked: false,
  };
}

/** A start balance in units. */
function startOf(amount) {
  return unitsOf({ text: String(amount) }, () => false);
}

function showBalances(account, plant) {
  const currency = plant('balances-without-currency') ? undefined : account.currency;
  const entry = (type, units) => ({
    type,
    amount: {
      json: plant('float-money') && type === 'real' ? String(account.float) : amountText(units),
    },
    currency,
  });
  const real = plant('real-balance-missing')
    ? []
    : [entry(plant('balance-type-cash') ? 'cash' : 'real', account.real)];
  if (!account.hasBonus) return real;
  const bonus = entry('bonus', account.bonus);
  return plant('bonus-listed-first') ? [bonus, ...real] : [...real, bonus];
}

function isOffered(account, { amount, discount }) {
  return account.discounts.some(
    (one) =>
      amountText(amount) === String(one.stake) &&
      amountText(discount) === String(one.absoluteDiscountAmount),
  );
}

function pay(record, units, work) {
  record.moved = units;
  move(work.account, units);
  work.moved.push(record);
}

function move(account, units) {
  account.real = account.add(account.real, units);
  account.float += Number(amountText(units));
}

module.exports = { accountOf, isOffered, move, pay, showBalances };
