import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import { emptyPurse, type Purse, subtractPurses } from '../../protocol/money/purse';

/**
 * The state of a gameround (operator-api 3). `none` is a round that never started; only its refusals and
 * early voids are kept.
 */
export type RoundState = (typeof roundStates)[number];

/** Every {@link RoundState}. */
export const roundStates = [
  'none',
  'open',
  'closed',
  'cancelled',
  'voided',
  'stranded',
  'crashed',
] as const;

/** The head of a round: of fixed size whatever the round's length, and the unit of compare-and-set. */
export interface RoundHead {
  /** Number of commits; 0 for a round that is not stored. */
  readonly version: number;
  readonly state: RoundState;
  /** The state to return to once every debit that was answered 5xx is voided (D7). */
  readonly resume: RoundState;
  /** When the round entered its state, in milliseconds since 1970. */
  readonly changedAt: number;
  /** Currency of the accepted initial debit; null before one. */
  readonly currency: string | null;
  /** The game of the round's first call; null for a round that is not stored. */
  readonly gameCode: string | null;
  /** Whether an initial debit was accepted. */
  readonly started: boolean;
  /** Credits that were accepted and not taken back with a debit (D4.7, D5.3). */
  readonly credited: number;
  /** Ends that were accepted and not taken back with a debit (D4.8, D5.3). */
  readonly ended: number;
  /** Hash of the last debit that the wallet declined, while it makes credits declined (D4.5). */
  readonly declined: string | null;
  /** Debits that were answered 5xx and wait for their void (D7). */
  readonly unanswered: number;
  /** What the effective debits took, in units. */
  readonly debits: Purse;
  /** What the effective credits gave, in units. */
  readonly credits: Purse;
  /** Pending postings and reversals at the platform's own ledger; null without any, and in all other stores. */
  readonly pending: PendingWork | null;
  /**
   * Hash of the credit that stranded or crashed the round (D11.3); absent unless the round is in such a state, or
   * was until a repair closed it or a debit was answered 5xx.
   */
  readonly stuckBy?: string;
  /** What people proposed and did to the round (D11); absent without any. */
  readonly repairs?: RoundRepairs;
}

/** An unknown round. Not frozen: V8 copies frozen objects slowly. */
export const unseenRound: RoundHead = {
  version: 0,
  state: 'none',
  resume: 'none',
  changedAt: 0,
  currency: null,
  gameCode: null,
  started: false,
  credited: 0,
  ended: 0,
  declined: null,
  unanswered: 0,
  debits: emptyPurse,
  credits: emptyPurse,
  pending: null,
};

/**
 * The outcome in a record. `unanswered`: answered 5xx, waits for its void (D7). `pending`: its money may
 * be in flight to the platform's own ledger; a resend is decided again and posted under the same key.
 */
export type RecordedOutcome = 'accepted' | 'unanswered' | 'pending' | ErrorCode;

/** No hashes or fingerprints: one array shared by all records without any. */
export const noTexts: readonly string[] = Object.freeze([]);

/** What each record keeps of the calls that begin with its hash. */
export interface RecordedCalls {
  /**
   * Fingerprints of the signed calls that begin with this hash (D1.8), latest last: 12 characters each, see
   * `Delivery.fingerprint`. A store keeps them unchanged.
   */
  readonly fingerprints: readonly string[];
}

/** The record of a debit. */
export interface DebitRecord extends RecordedCalls {
  readonly type: 'debit';
  readonly outcome: RecordedOutcome;
  readonly currency: string;
  readonly amount: bigint;
  readonly discount: bigint;
  readonly first: boolean;
  readonly serial: string | null;
  /** `Delivery.id` of the delivery that wrote it (D7). */
  readonly delivery: string;
  /**
   * For a follow-up debit: hashes of the credits and ends that were first accepted after it in a call, and of
   * the credit that stranded or crashed the round there. Its void takes them back (D5.3). Credits that were
   * refused right after that one are listed with a `#` in front: the void also takes back what a repair paid
   * for them (D11.4).
   */
  readonly behind: readonly string[];
  /** What it took from each balance, in units; the store writes it with the movement. */
  readonly purse: Purse;
  /** When it was recorded, in milliseconds since 1970. */
  readonly at: number;
}

/** The record of a credit. */
export interface CreditRecord extends RecordedCalls {
  readonly type: 'credit';
  readonly outcome: RecordedOutcome;
  readonly currency: string;
  readonly amount: bigint;
  readonly serial: string | null;
  /** What it gave to each balance, in units. */
  readonly purse: Purse;
  readonly at: number;
}

/** The record of an end. */
export interface EndRecord extends RecordedCalls {
  readonly type: 'end';
  readonly outcome: RecordedOutcome;
  readonly at: number;
}

/** The record of a void, separate from the debit whose hash it carries (D3.3). */
export interface VoidRecord extends RecordedCalls {
  readonly type: 'void';
  /** What it gave back to each balance, in units; below zero if credits were taken back. */
  readonly purse: Purse;
  readonly at: number;
}

/** The record of a debit, credit or end, known by its hash (D3.1). */
export type TransactionRecord = DebitRecord | CreditRecord | EndRecord;

/** Everything known of one hash. */
export interface HashEntry {
  readonly transaction?: TransactionRecord;
  readonly void?: VoidRecord;
}

/** The head of a round and the entries of the requested hashes. */
export interface RoundView {
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
}

/** A transaction whose money may be in flight to the platform's own ledger. */
export interface PendingPost {
  readonly hash: string;
  /** The record of the rules with the outcome `pending`; a credit's purse is what to give. */
  readonly record: TransactionRecord;
  /** Whether to pay the debit from the bonus balance first. */
  readonly bonusFirst: boolean;
  /** The follow-up debit before a credit or an end in its call (D5.3), or null. */
  readonly behind: string | null;
}

/** A round's pending work at the platform's own ledger. */
export interface PendingWork {
  /** When the first of it was written, in milliseconds since 1970. */
  readonly since: number;
  /** Decided, but not yet known to have happened; in posting order. */
  readonly posts: readonly PendingPost[];
  /** Hashes whose money is to be taken back, whether or not it ever moved. */
  readonly reversals: readonly string[];
}

/** Whether a person should look at rounds in this state (D10, operator-api 3). */
export function needsAttention(state: RoundState): boolean {
  return state === 'cancelled' || state === 'stranded' || state === 'crashed';
}

/**
 * Whether a round is kept for ever; others are kept for the retention (D10). A round with pending work is
 * kept, because it must be found until that is finished; one with a repair, for the audit (D11.3).
 */
export function isKeptForEver({ state, pending, repairs }: RoundHead): boolean {
  return state === 'open' || needsAttention(state) || pending !== null || repairs !== undefined;
}

/** What a round gave the player, less what it took. */
export function netOf({ credits, debits }: RoundHead): Purse {
  return subtractPurses(credits, debits);
}

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
 * Status of a repair. `paying`: approved, with its posting at the ledger in doubt. `refused`: the account
 * refused it. `takenBack`: a void of the RGS took back what it had paid (D11.4).
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
  /** Currency of the amounts; null if the round has none, or a void also takes back repairs in other currencies. */
  readonly currency: string | null;
  /**
   * The money at stake, in units: the credit; the most that a void moves, including what repairs paid and what
   * a ledger may have taken; what was settled elsewhere.
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
  /**
   * Version of the round with the proposal. Commits that only note signatures carry it along; any other makes
   * the proposal stale.
   */
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
  /** The state that a repair closed, and its start; null if no repair closes the round now. */
  readonly closed: { readonly state: StuckState; readonly since: number } | null;
}

/** A state in which a round waits for a person, and that a repair may close. */
export type StuckState = 'cancelled' | 'stranded' | 'crashed';
