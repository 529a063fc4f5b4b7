import type { Purse } from '../../protocol/money';

/** A person who proposes, approves or rejects a repair. */
export interface RepairPerson {
  readonly id: string;
  readonly name: string | null;
}

/**
 * What a repair does. `pay`: a refused credit at its recorded amount. `resolve`: nothing, because the matter
 * was settled elsewhere. `void`: the void of a debit, as the RGS would send it.
 */
export type RepairKind = 'pay' | 'resolve' | 'void';

/**
 * How far a repair is. `paying`: approved, and its posting at the ledger is not known to be done.
 * `refused`: the account refused it. `takenBack`: a void of the RGS took back what it had paid (D11.4).
 */
export type RepairStatus = 'proposed' | 'paying' | 'done' | 'rejected' | 'refused' | 'takenBack';

/** A repair of a round by people, from its proposal on (D11). */
export interface Repair {
  /** Of the proposal: 1 to 64 characters of A to Z, a to z, 0 to 9, - and _. */
  readonly id: string;
  readonly kind: RepairKind;
  readonly status: RepairStatus;
  /** The credit to pay, or the debit to void; null for `resolve`. */
  readonly hash: string | null;
  /** Currency of the amounts; null if the round has none, or a void takes back repairs of others too. */
  readonly currency: string | null;
  /**
   * The money that it is about, in units: the credit; what a void takes from either side at most, with what
   * repairs paid and what a ledger may have taken; what was settled elsewhere.
   */
  readonly amount: bigint;
  /** What it gives to each balance, in units; below zero if a void takes back more than it gives. */
  readonly purse: Purse;
  /** Where it was settled, for `resolve`; null for others. */
  readonly reference: string | null;
  readonly reason: string;
  readonly proposedBy: RepairPerson;
  /** In milliseconds since 1970, as `decidedAt`. */
  readonly proposedAt: number;
  /** The version of the round with the proposal, or since that only noted signatures; any other makes it stale. */
  readonly version: number;
  /** Who approved or rejected it. */
  readonly decidedBy: RepairPerson | null;
  readonly decidedAt: number | null;
  /** Why it was rejected or refused. */
  readonly note: string | null;
}

/** The repairs of a round, the oldest first, and what one of them closed. */
export interface RoundRepairs {
  readonly list: readonly Repair[];
  /** The state that a repair closed, and since when it was; null if none did, or does any longer. */
  readonly closed: { readonly state: StuckState; readonly since: number } | null;
}

/** A state in which a round waits for a person, and that a repair may close. */
export type StuckState = 'cancelled' | 'stranded' | 'crashed';
