import type { Fate } from '../settlement/fate';
import type { RoundEffect } from '../settlement/settle';
import type { EndDue, Entry, Owner, Refusal, RoundCredit, RoundDebit, VoidDue } from './round';

/** The intent of a start: the debit may be sent once this is durable (B4). */
export interface Started {
  readonly type: 'started';
  readonly at: number;
  readonly owner: Owner;
  readonly gameRound: string;
  readonly isNamed: boolean;
  readonly debit: RoundDebit;
  readonly credit: RoundCredit | null;
  /** Set if the round ends at once. */
  readonly end: EndDue | null;
  /** They appear once the debit is accepted. */
  readonly entries: readonly Entry[];
}

/** The intent of a follow-up debit. */
export interface DebitAdded {
  readonly type: 'debitAdded';
  readonly at: number;
  readonly debit: RoundDebit;
  readonly entry: Entry;
}

/** An entry of addWin, wagerWin or a spin counter. */
export interface EntryAdded {
  readonly type: 'entryAdded';
  readonly at: number;
  readonly entry: Entry;
  /** Units taken from the pieces that were open before, oldest first. */
  readonly taken: bigint;
  /** How a spin counter moves; null for other entries. */
  readonly spins: {
    readonly counterType: string;
    readonly awarded: number;
    readonly used: number;
  } | null;
}

/** A credit fell due: its amount leaves the open pieces, oldest first. */
export interface Collected {
  readonly type: 'collected';
  readonly at: number;
  readonly credit: RoundCredit;
}

/** The round is closed, and its end is due. */
interface Closed {
  readonly type: 'closed';
  readonly at: number;
  readonly end: EndDue;
}

/** A debit is voided by voidGameRound; voiding the first one voids the whole round. */
export interface Voided {
  readonly type: 'voided';
  readonly at: number;
  readonly void: VoidDue;
}

/** One transaction of a call to the wallet, and its fate. */
export interface SettledDue {
  readonly type: 'debit' | 'credit' | 'end' | 'void';
  readonly hash: string;
  readonly fate: Fate;
  /** Set for a debit that failed. */
  readonly refusal: Refusal | null;
}

/** What an answer of the wallet decided. */
export interface Settled {
  readonly type: 'settled';
  readonly transactions: readonly SettledDue[];
  readonly effect: RoundEffect | null;
  readonly needsPerson: boolean;
  /** Voids that fell due; they go before all else of the round. */
  readonly voids: readonly VoidDue[];
}

/** A person gave up the due transactions (E16.2). */
interface GivenUp {
  readonly type: 'givenUp';
  readonly at: number;
}

/** What changes a round; a journal keeps these (B4). */
export type RoundEvent =
  | Started
  | DebitAdded
  | EntryAdded
  | Collected
  | Closed
  | Voided
  | Settled
  | GivenUp;
