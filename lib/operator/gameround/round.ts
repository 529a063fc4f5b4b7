import type { ErrorCode } from '../../protocol/operator-api';
import { emptyPurse, type Purse, subtractPurses } from '../../protocol/money';
import type { RoundRepairs } from './proposal';

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
  /** Hash of the debit that the wallet declined last, while credits are declined because of it (D4.5). */
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

/** What each record keeps of the calls whose first hash it is. */
export interface RecordedCalls {
  /**
   * Fingerprints of the signed calls whose first hash this is (D1.8), latest last: 12 characters each, see
   * {@link Delivery.fingerprint}. A store keeps them unchanged.
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
  /** {@link Delivery.id} of the delivery that wrote it (D7). */
  readonly delivery: string;
  /**
   * For a follow-up debit: hashes of the credits and ends that were first accepted behind it in a call,
   * and of the credit that stranded or crashed the round there. Its void takes them back (D5.3). Those of credits
   * that were refused right after that one are among them with a `#` before them: what a repair paid of these
   * is taken back too (D11.4).
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
  /** The follow-up debit that a credit or an end is behind (D5.3); null if there is none. */
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

/**
 * Why a balance did not move: a definite refusal by the account, not by the round. `refused` covers
 * reasons of the platform's own ledger that have no name here.
 */
export type MovementRefusal = (typeof movementRefusals)[number];

/** Every {@link MovementRefusal}. */
export const movementRefusals = [
  'noPlayer',
  'noCurrency',
  'blocked',
  'tooLow',
  'outOfRange',
  'refused',
] as const;

/** A movement of the player's money, atomic with the commit of the round. */
export type Movement =
  /** Takes `amount`, split by the balances at that moment; refused if they are too low. */
  | {
      readonly kind: 'take';
      readonly hash: string;
      readonly currency: string;
      readonly amount: bigint;
      readonly bonusFirst: boolean;
    }
  /** Gives to each balance; refused if the player has no such account. */
  | {
      readonly kind: 'give';
      readonly hash: string;
      readonly currency: string;
      readonly purse: Purse;
    }
  /** Gives back to (or takes back from) each balance; never refused for funds (D5.2). */
  | {
      readonly kind: 'reverse';
      readonly hash: string;
      readonly currency: string;
      readonly purse: Purse;
    };

/** A record to write under its hash. */
export interface NewRecord {
  readonly hash: string;
  readonly record: TransactionRecord | VoidRecord;
  /** Set if it replaces a record with the same outcome: no money moves again. */
  readonly isRewritten?: true;
}

/** The entry of a hash with one more record. */
export function withRecord(entry: HashEntry | undefined, record: NewRecord['record']): HashEntry {
  if (record.type === 'void') {
    const transaction = entry?.transaction;
    return transaction === undefined ? { void: record } : { transaction, void: record };
  }
  const known = entry?.void;
  return known === undefined ? { transaction: record } : { transaction: record, void: known };
}

/** What a commit writes to a round: atomic, and guarded by the version of `before`. */
export interface RoundChange {
  readonly before: RoundHead;
  /** Without the amounts that the `take` movements of this change add to `debits`: the store adds them. */
  readonly after: RoundHead;
  readonly records: readonly NewRecord[];
  readonly movements: readonly Movement[];
  /** What the platform's own ledger has moved: for the event of the commit; a store moves nothing for it. */
  readonly elsewhere?: readonly Exclude<Movement, { readonly kind: 'take' }>[];
  /** Balances at the platform's own ledger after it, null if not known; absent where the store has the money. */
  readonly balances?: readonly AccountBalance[] | null;
}

/** What a player's account in one currency holds, in units; `bonus` is null if there is no such balance. */
export interface AccountBalance {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** Whether a change only rewrites records: no new outcome, no movement. */
export function onlyRewrites({ records }: RoundChange): boolean {
  return records.length > 0 && records.every(({ isRewritten }) => isRewritten);
}

/**
 * Whether a change only notes what guards a signature, so that the call can be answered without it (D1.8).
 * A change of a debit's delivery is not: without it another delivery could mark the debit (D7).
 */
export function onlyGuards(change: RoundChange, { entries }: RoundView): boolean {
  if (!onlyRewrites(change)) return false;
  return change.records.every(({ hash, record }) => {
    if (record.type !== 'debit') return true;
    const known = entries.get(hash)?.transaction;
    return known?.type === 'debit' && known.delivery === record.delivery;
  });
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
