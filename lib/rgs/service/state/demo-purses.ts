import type { Owner, Round } from '../../rounds';
import type { DemoPurseKept } from './event';

/** What the players of DEMO won and lost (E19.1): no other party keeps it. */
export interface DemoPurses {
  /** Net units of a player's rounds so far; 0 a day after the latest change. */
  changeOf(owner: Owner, at: number): bigint;
  /** Moves what a round came to, between two states of it. */
  move(before: Round | null, after: Round): void;
  /** Forgets purses that did not change for a day. */
  forget(at: number): void;
  /** A purse of a snapshot. */
  keep(purse: DemoPurseKept): void;
  snapshot(): IterableIterator<DemoPurseKept>;
}

/** A player of DEMO is forgotten after a day, in milliseconds (E19.1). */
export const demoTtlMs = 86_400_000;

/** No purses at first. */
export function createDemoPurses(): DemoPurses {
  const purses = new Map<string, DemoPurseKept>();
  const changeOf = (owner: Owner, at: number): bigint => {
    const purse = purses.get(keyOf(owner));
    return purse === undefined || at - purse.at >= demoTtlMs ? 0n : purse.change;
  };
  return {
    changeOf,
    move(before, after) {
      const change = netOf(after) - (before === null ? 0n : netOf(before));
      if (change === 0n) return;
      const { owner, lastCallAt: at } = after;
      const { operatorId, playerId, currency } = owner;
      const name = { type: 'demoPurseKept', operatorId, playerId, currency } as const;
      purses.set(keyOf(owner), { ...name, change: changeOf(owner, at) + change, at });
    },
    forget(at) {
      for (const [key, purse] of purses) if (at - purse.at >= demoTtlMs) purses.delete(key);
    },
    keep(purse) {
      purses.set(keyOf(purse), purse);
    },
    snapshot: () => purses.values(),
  };
}

/** What a round moved: its credits less its debits, as far as they count; a voided round nets to zero (E13). */
function netOf({ state: roundState, debits, credits }: Round): bigint {
  if (roundState === 'voided') return 0n;
  let net = 0n;
  for (const { due, state } of credits) if (state === 'paid') net += due.amount;
  for (const { due, state } of debits) {
    if (state === 'accepted') net -= due.amount - (due.discount?.amount ?? 0n);
  }
  return net;
}

function keyOf({
  operatorId,
  playerId,
  currency,
}: Pick<DemoPurseKept, 'operatorId' | 'playerId' | 'currency'>): string {
  return `${operatorId}\n${playerId}\n${currency}`;
}
