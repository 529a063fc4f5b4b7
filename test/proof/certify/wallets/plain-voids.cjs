'use strict';

// The void of a debit (D5), and the state of a round.
const { move } = require('./plain-accounts.cjs');
const { ERRORS } = require('./plain-messages.cjs');

function createVoids({ plant, keys, memory }) {
  function ruleVoid(round, tx, work) {
    const { account } = work;
    const record = memory.records.get(keys.ofTransaction(round, tx));
    const state = stateOf(round);
    if (state === 'closed' && plant('void-refused-on-closed')) return ruling(ERRORS.notActive);
    if (state === 'closed' && plant('void-without-effect-on-closed')) return ruling(null);
    if (state === 'voided' && plant('void-refused-on-voided')) return ruling(ERRORS.voided);
    if (tx.isInCapitals && plant('upper-case-void-without-effect')) return ruling(null);
    if (account.isBlocked && plant('block-refuses-voids')) return ruling(ERRORS.refused);
    if (account.isBlocked && plant('block-keeps-voids')) return ruling(null);
    if (record === undefined) return ruleVoidOfUnknown(round, tx);
    if (record.type !== 'debit' && !plant('void-of-credit-accepted'))
      return ruling(round.voids.has(tx.hash) ? null : ERRORS.parameter);
    if (record.isVoided && plant('void-repeat-refused')) return ruling(ERRORS.voided);
    if (plant('void-below-zero-refused') && takenBack(round, record) > account.real)
      return ruling(ERRORS.funds);
    return ruling(null, () => {
      const isAgain = record.isVoided && record.wasAccepted;
      if (tx.isInCapitals && isAgain && plant('upper-case-void-pays-again'))
        move(account, record.amount);
      if (plant('void-twice-in-call-pays-twice') && record.voidedBy === work)
        move(account, record.amount);
      record.voidedBy = work;
      if (plant('void-pays-twice') && record.wasAccepted) move(account, tx.amount);
      if (plant('void-of-declined-pays') && !record.wasAccepted) move(account, record.amount);
      if (plant('void-pays-its-own-amount') && record.moved !== 0n) record.moved = -tx.amount;
      if (plant('void-without-effect')) return;
      writeVoid(round, record, account);
    });
  }

  /** A void may come before its debit (D5.5). */
  function ruleVoidOfUnknown(round, tx) {
    if (plant('void-of-unknown-refused')) return ruling(ERRORS.notStarted);
    return ruling(null, () => {
      if (plant('void-of-unknown-forgotten')) return;
      memory.keepVoid(round, tx.hash);
      if (round.first === null && tx.hash === round.id) round.isVoided = true;
    });
  }

  function writeVoid(round, record, account) {
    const isOfRound = round.first === null ? record.isFirst : record === round.first;
    record.isVoided = true;
    if (round.declined === record.hash) clearDecline(round);
    if (isOfRound || plant('follow-up-void-voids-round')) return voidRound(round, record, account);
    reverse(record, account);
    if (plant('follow-up-void-keeps-credits')) return undefined;
    for (const one of round.entries) {
      if (one.behind !== record.hash || one.type === 'debit' || one.error !== null) continue;
      reverse(one, account);
      one.error = ERRORS.failedBefore;
    }
    round.closers = round.closers.filter((closer) => closer.behind !== record.hash);
    return undefined;
  }

  function voidRound(round, record, account) {
    let credits = 0;
    for (const one of round.entries) {
      if (one.type === 'credit' && plant('void-keeps-credits')) continue;
      if (one.type === 'credit' && ++credits > 1 && plant('void-takes-one-credit')) continue;
      if (one.type === 'debit' && one !== record && plant('void-keeps-follow-ups')) continue;
      if (one.call !== record.call && plant('void-keeps-later-credits') && one.type === 'credit')
        continue;
      reverse(one, account);
    }
    round.isVoided = !plant('void-leaves-round-open');
  }

  function reverse(record, account) {
    if (account.real < record.moved && plant('reversal-needs-funds')) return;
    move(account, -record.moved);
    record.moved = 0n;
  }

  function clearDecline(round) {
    if (!plant('decline-never-cleared') && !plant('decline-not-cleared-by-void'))
      round.declined = null;
  }

  return { clearDecline, reverse, ruleVoid, voidRound };
}

/** What the void of this debit takes from the balance. */
function takenBack(round, record) {
  const isOfRound = record === round.first;
  const isTaken = (one) => isOfRound || one === record || one.behind === record.hash;
  return round.entries.filter(isTaken).reduce((sum, { moved }) => sum + moved, 0n);
}

function stateOf(round) {
  if (round.isVoided) return 'voided';
  if (round.isDeclined) return 'closed';
  return round.first === null ? 'none' : (round.closers[0]?.to ?? 'open');
}

/** What is answered for a transaction, and what it writes. */
function ruling(error, write = () => {}) {
  return { error, write };
}

module.exports = { createVoids, ruling, stateOf };
