import { takeOpen } from './amounts';
import type { EntryAdded, RoundEvent, Settled, SettledDue, Started, Voided } from './event';
import type { Due, Round, RoundCredit, RoundDebit, RoundState, SpinCounter } from './round';

/**
 * The round after an event; null is an unknown round.
 * @throws Error if a round starts twice, or if one that never started changes: the journal is wrong.
 */
export function apply(round: Round | null, event: RoundEvent): Round {
  if (event.type === 'started') {
    if (round !== null) throw new Error('the round has started already');
    return started(event);
  }
  if (round === null) throw new Error('the round has never started');
  switch (event.type) {
    case 'debitAdded':
      return {
        ...round,
        lastCallAt: event.at,
        debits: [...round.debits, event.debit],
        awaiting: [event.entry],
        queue: [...round.queue, event.debit.due],
      };
    case 'entryAdded':
      return entryAdded(round, event);
    case 'collected':
      return {
        ...round,
        lastCallAt: event.at,
        entries: takeOpen(round.entries, event.credit.due.amount, true),
        credits: [...round.credits, event.credit],
        queue: [...round.queue, event.credit.due],
      };
    case 'closed':
      return {
        ...round,
        lastCallAt: event.at,
        state: 'closed',
        queue: [...round.queue, event.end],
      };
    case 'voided':
      return voided(round, event);
    case 'settled':
      return settled(round, event);
    case 'givenUp':
      return { ...givenUp(round), needsPerson: true };
  }
}

function started(event: Started): Round {
  const { at, owner, gameRound, isNamed, debit, credit, end, entries } = event;
  return {
    owner,
    gameRound,
    isNamed,
    state: 'starting',
    endsAtOnce: end !== null,
    startedAt: at,
    lastCallAt: at,
    voids: [],
    debits: [debit],
    credits: credit === null ? [] : [credit],
    entries: [],
    awaiting: entries,
    counters: [],
    queue: [debit.due, credit?.due ?? [], end ?? []].flat(),
    undelivered: [],
    needsPerson: false,
  };
}

function entryAdded(round: Round, { at, entry, taken, spins }: EntryAdded): Round {
  const entries = [...takeOpen(round.entries, taken, false), entry];
  if (spins === null) return { ...round, lastCallAt: at, entries };
  const { counterType } = spins;
  const isOther = (counter: SpinCounter): boolean => counter.counterType !== counterType;
  const known = round.counters.find((counter) => !isOther(counter));
  const awarded = (known?.awarded ?? 0) + spins.awarded;
  const used = (known?.used ?? 0) + spins.used;
  const counters = [...round.counters.filter(isOther), { counterType, awarded, used }];
  return { ...round, lastCallAt: at, entries, counters };
}

/** The void of the first debit voids the whole round and drops its open amount (E6, E13). */
function voided(round: Round, event: Voided): Round {
  const { hash } = event.void;
  const debits = round.debits.map(
    (debit): RoundDebit => (debit.due.hash === hash ? { ...debit, state: 'voided' } : debit),
  );
  const next: Round = {
    ...round,
    lastCallAt: event.at,
    debits,
    voids: [...round.voids, { hash, at: event.at }],
    queue: [...round.queue, event.void],
  };
  if (round.debits[0]?.due.hash !== hash) return next;
  const entries = round.entries.map((entry) => ({ ...entry, open: 0n }));
  return { ...next, state: 'voided', entries };
}

function settled(round: Round, event: Settled): Round {
  const debits = round.debits.map((debit): RoundDebit => {
    const item = itemOf(event, 'debit', debit.due.hash);
    if (item === null || debit.state !== 'due') return debit;
    const state = item.fate === 'processed' ? 'accepted' : item.fate;
    return state === 'accepted' || state === 'declined' || state === 'withdrawn'
      ? { ...debit, state, refusal: item.refusal }
      : debit;
  });
  const credits = round.credits.map((credit) => {
    const item = itemOf(event, 'credit', credit.due.hash);
    return item === null ? credit : creditAfter(credit, item);
  });
  const isAnswered = event.transactions.some(({ type }) => type === 'debit');
  const isAccepted = event.transactions.some(
    ({ type, fate }) => type === 'debit' && fate === 'processed',
  );
  const next: Round = {
    ...round,
    state: stateAfter(round, isAccepted, event),
    debits,
    credits,
    entries: isAccepted ? [...round.entries, ...round.awaiting] : round.entries,
    awaiting: isAnswered ? [] : round.awaiting,
    queue: [...event.voids, ...withoutSettled(round.queue, event.transactions)],
    undelivered: withoutPaid(round.undelivered, event.transactions),
    needsPerson: round.needsPerson || event.needsPerson,
  };
  return afterEffect(next, event, round.queue);
}

function stateAfter(round: Round, isAccepted: boolean, { effect }: Settled): RoundState {
  if (effect !== null) return effect;
  if (round.state !== 'starting' || !isAccepted) return round.state;
  return round.endsAtOnce ? 'closed' : 'open';
}

/**
 * W7: what follows a failed first debit fails with it. W5: a credit that is refused for good ends the
 * queue of its round; the rest of it is listed. Voids stay due in any case.
 */
function afterEffect(round: Round, event: Settled, queueBefore: readonly Due[]): Round {
  if (event.effect === null) return round;
  const isFailed = event.effect === 'cancelled' || event.effect === 'declined';
  const state = isFailed ? 'dropped' : 'held';
  const credits = round.credits.map(
    (credit): RoundCredit => (credit.state === 'due' ? { ...credit, state } : credit),
  );
  const unsent = queueBefore.filter(({ type, hash }) => {
    const fate = itemOf(event, type, hash)?.fate ?? 'due';
    if (type === 'credit') return fate !== 'processed' && fate !== 'dropped';
    return type === 'end' && (fate === 'due' || fate === 'held');
  });
  return {
    ...round,
    credits,
    queue: round.queue.filter(({ type }) => type === 'void'),
    undelivered: isFailed ? round.undelivered : [...round.undelivered, ...unsent],
  };
}

/** Empties the queue, and lists its content as not delivered. */
function givenUp(round: Round): Round {
  const credits = round.credits.map((credit) =>
    credit.state === 'due' ? { ...credit, state: 'held' as const } : credit,
  );
  return { ...round, credits, queue: [], undelivered: [...round.undelivered, ...round.queue] };
}

/** An answer may come after a person gave the credit up: what is paid must not be paid by hand too (E16.2). */
function creditAfter(credit: RoundCredit, { fate }: SettledDue): RoundCredit {
  if (credit.state === 'held' && fate === 'processed') return { ...credit, state: 'paid' };
  if (credit.state !== 'due') return credit;
  if (fate === 'processed') return { ...credit, state: 'paid' };
  if (fate === 'declined') return { ...credit, state: 'refused' };
  if (fate === 'dropped' || fate === 'held') return { ...credit, state: fate };
  return credit;
}

/** The list of what was not delivered, without the credits that are paid after all. */
function withoutPaid(listed: readonly Due[], transactions: readonly SettledDue[]): readonly Due[] {
  return listed.filter(({ type, hash }) => {
    return type !== 'credit' || itemOf({ transactions }, type, hash)?.fate !== 'processed';
  });
}

/** Removes settled transactions from the queue; a hash may be there as a debit and as its void. */
function withoutSettled(queue: readonly Due[], transactions: readonly SettledDue[]): Due[] {
  const left = [...queue];
  for (const { type, hash, fate } of transactions) {
    if (fate === 'due') continue;
    const at = left.findIndex((one) => one.type === type && one.hash === hash);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function itemOf(
  { transactions }: Pick<Settled, 'transactions'>,
  type: SettledDue['type'],
  hash: string,
): SettledDue | null {
  return transactions.find((one) => one.type === type && one.hash === hash) ?? null;
}
