import type { Owner, Round } from '../../rounds/round';
import type { ServiceEvent } from './event-shape';

type DemoPurseKept = Extract<ServiceEvent, { readonly type: 'demoPurseKept' }>;

/** A player of DEMO is forgotten after a day, in milliseconds (E19.1). */
export const demoTtlMs = 86_400_000;

/** What the players of DEMO won and lost (E19.1): no other party keeps it. */
export class DemoPurses {
  readonly #purses = new Map<string, DemoPurseKept>();

  /** Net units of a player's rounds so far; 0 a day after the latest change. */
  changeOf(owner: Owner, at: number): bigint {
    const purse = this.#purses.get(keyOf(owner));
    return purse === undefined || at - purse.at >= demoTtlMs ? 0n : purse.change;
  }

  /** Moves what a round came to, between two states of it. */
  move(before: Round | null, after: Round): void {
    const change = netOf(after) - (before === null ? 0n : netOf(before));
    if (change === 0n) return;
    const { owner, lastCallAt: at } = after;
    const { operatorId, playerId, currency } = owner;
    const name = { type: 'demoPurseKept', operatorId, playerId, currency } as const;
    this.keep({ ...name, change: this.changeOf(owner, at) + change, at });
  }

  /** Forgets purses that did not change for a day. */
  forget(at: number): void {
    for (const [key, purse] of this.#purses) {
      if (at - purse.at >= demoTtlMs) this.#purses.delete(key);
    }
  }

  /** Sets a purse, such as one of a snapshot. */
  keep(purse: DemoPurseKept): void {
    this.#purses.set(keyOf(purse), purse);
  }

  snapshot(): IterableIterator<DemoPurseKept> {
    return this.#purses.values();
  }
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

function keyOf(of: Pick<Owner, 'operatorId' | 'playerId' | 'currency'>): string {
  return `${of.operatorId}\n${of.playerId}\n${of.currency}`;
}
