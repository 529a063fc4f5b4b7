'use strict';

// A block of a player (D4.9, D13.1): it refuses new debits, and nothing else.
const { move } = require('./plain-accounts.cjs');
const { ERRORS } = require('./plain-messages.cjs');
const { stateOf } = require('./plain-voids.cjs');

function createBlocks({ plant, accounts, rounds, voidRound }) {
  function setBlocked(account, isBlocked) {
    account.isBlocked = isBlocked;
    account.wasBlocked ||= isBlocked;
    for (const round of isBlocked ? rounds.values() : []) {
      if (account !== accounts.get(JSON.stringify(round.owner)) || stateOf(round) !== 'open')
        continue;
      if (plant('block-voids-rounds')) voidRound(round, round.first, account);
      if (plant('block-closes-rounds')) round.closers.push({ to: 'closed', behind: null });
    }
  }

  /** Why a new debit is refused; null if no block is against it. */
  function againstDebit(account, { isFirst, amount }) {
    const isAgainst = isOn(account) && !plant('block-without-effect');
    if (!isAgainst || (!isFirst && plant('block-of-new-rounds-alone'))) return null;
    if (plant('blocked-debit-500')) throw new Error('blocked');
    if (plant('blocked-debit-takes-money')) move(account, -amount);
    return ERRORS.refused;
  }

  function isOn(account) {
    if (plant('block-of-everybody')) return [...accounts.values()].some((one) => one.isBlocked);
    return account.isBlocked || (account.wasBlocked && plant('block-stays'));
  }

  function restart() {
    if (!plant('block-lost-at-restart')) return;
    for (const account of accounts.values()) account.isBlocked = false;
  }

  return { againstDebit, restart, setBlocked };
}

module.exports = { createBlocks };
