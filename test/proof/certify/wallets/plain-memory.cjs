'use strict';

// The rounds and transactions that a wallet knows. The right one forgets nothing.

function createMemory({ plant, now }) {
  const rounds = new Map();
  const records = new Map();

  function forget(round) {
    rounds.delete(round.key);
    forgetHashes(round);
  }

  function forgetHashes(round) {
    for (const one of round.entries) records.delete(one.key);
  }

  function secondsOfVoids() {
    if (plant('early-voids-kept-1-s')) return 1;
    if (plant('early-voids-kept-10-s')) return 10;
    return plant('early-voids-kept-60-s') ? 60 : Number.POSITIVE_INFINITY;
  }

  /** Before a call of a round. */
  function age(round) {
    const since = now() - secondsOfVoids() * 1000;
    for (const [hash, time] of round.voids) if (time < since) forgetVoid(round, hash);
    if (plant('idle-rounds-closed-after-60-s') && round.calledAt < now() - 60_000)
      round.closers.push({ to: 'closed', behind: null });
    round.calledAt = now();
  }

  function forgetVoids() {
    for (const round of rounds.values())
      [...round.voids.keys()].forEach((hash) => forgetVoid(round, hash));
  }

  function keepVoid(round, hash) {
    if (plant('one-early-void-kept')) forgetVoids();
    round.voids.set(hash, now());
  }

  function mostHashes() {
    if (plant('50-hashes-kept')) return 50;
    return plant('300-hashes-kept') ? 300 : Number.POSITIVE_INFINITY;
  }

  function keep(record, round) {
    records.set(record.key, record);
    round.entries.push(record);
    if (records.size > mostHashes()) records.delete(records.keys().next().value);
    if (plant('8-hashes-of-a-round-kept') && round.entries.length > 8)
      records.delete(round.entries.at(-9).key);
  }

  /** Where the first debit of a round was taken. */
  function begin(round) {
    if (!plant('rounds-forgotten-at-the-next')) return;
    const isOther = (one) => one !== round && String(one.owner) === String(round.owner);
    [...rounds.values()].filter(isOther).forEach(forget);
  }

  /** After a call of a round. */
  function settle(round, state) {
    if (state === 'closed' && plant('closed-rounds-forgotten')) forget(round);
    if (state === 'closed' && plant('hashes-of-closed-rounds-forgotten')) forgetHashes(round);
    if (state === 'voided' && plant('voided-rounds-forgotten')) forget(round);
  }

  function restart() {
    if (plant('rounds-forgotten-at-restart')) [...rounds.values()].forEach(forget);
    if (plant('early-voids-lost-at-restart')) forgetVoids();
    for (const round of rounds.values()) {
      if (plant('ends-lost-at-restart')) round.closers = [];
      if (plant('voided-rounds-lost-at-restart')) round.isVoided = false;
      if (plant('refusals-lost-at-restart'))
        Object.assign(round, { isDeclined: false, declined: null });
    }
    for (const [key, { type, error }] of records) {
      const isRefusal = error !== null && plant('refusals-lost-at-restart');
      if (isRefusal || (type === 'credit' && plant('credit-hashes-lost-at-restart')))
        records.delete(key);
    }
  }

  return { age, begin, keep, keepVoid, records, restart, rounds, settle };
}

function forgetVoid(round, hash) {
  round.voids.delete(hash);
  if (round.entries.length === 0) round.isVoided = false;
}

module.exports = { createMemory };
