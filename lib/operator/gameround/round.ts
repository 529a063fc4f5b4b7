import type { ErrorCode } from '../../protocol/operator-api';
import { emptyPurse, type Purse } from '../../protocol/money';

/**
 * The state of a gameround (operator-api 3). `none` is a round that was never started, of which
 * only refusals and voids that came early are remembered.
 */
export type RoundState =
  | 'none'
  | 'open'
  | 'closed'
  | 'cancelled'
  | 'voided'
  | 'stranded'
  | 'crashed';

/** What is known of a round whatever its length; the unit of compare-and-set. */
export interface RoundHead {
  /** Counts the commits; 0 for a round that is not stored. */
  readonly version: number;
  readonly state: RoundState;
  /** The state to go back to once every debit that was answered 5xx is voided (D7). */
  readonly resume: RoundState;
  /** When the state became what it is, in milliseconds since 1970. */
  readonly changedAt: number;
  /** Currency of the accepted initial debit; null before it. */
  readonly currency: string | null;
  /** The game of the round's first call; null for a round that is not stored. */
  readonly gameCode: string | null;
  /** Whether an initial debit was accepted. */
  readonly started: boolean;
  /** Credits that are accepted, and not taken back with a debit (D4.7, D5.3). */
  readonly credited: number;
  /** Ends that are accepted, and not taken back with a debit (D4.8, D5.3). */
  readonly ended: number;
  /** Hash of the debit that the wallet declined last, while credits are declined for it (D4.5). */
  readonly declined: string | null;
  /** Debits that were answered 5xx and wait for their void (D7). */
  readonly unanswered: number;
  /** What effective debits took, in units. */
  readonly debits: Purse;
  /** What effective credits gave, in units. */
  readonly credits: Purse;
  /** What is under way to the platform's own ledger; null where nothing is, and in all other stores. */
  readonly pending: PendingWork | null;
}

/** A round that nothing is known of. Not frozen: V8 is slow to copy what is. */
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
 * What became of a recorded transaction. `unanswered`: told as 5xx, waits for its void (D7).
 * `pending`: its money may be under way to the platform's own ledger; sent again, it is decided
 * again, and posted under the same key.
 */
export type RecordedOutcome = 'accepted' | 'unanswered' | 'pending' | ErrorCode;

/** No hashes, no fingerprints: one array for all records that have none. */
export const noTexts: readonly string[] = Object.freeze([]);

/** What each record keeps of the calls that named its hash first. */
export interface RecordedCalls {
  /**
   * Fingerprints of the signed calls whose first hash is that of the record (D1.8), latest last:
   * 12 characters each, as {@link Delivery.fingerprint}. A store keeps them as they are.
   */
  readonly fingerprints: readonly string[];
}

/** A debit as it is recorded. */
export interface DebitRecord extends RecordedCalls {
  readonly type: 'debit';
  readonly outcome: RecordedOutcome;
  readonly currency: string;
  readonly amount: bigint;
  readonly discount: bigint;
  readonly first: boolean;
  readonly serial: string | null;
  /** {@link Delivery.id} of the arrival of the call that wrote it (D7). */
  readonly delivery: string;
  /**
   * Of a follow-up debit: hashes of the credits and ends that were first accepted behind it in a
   * call, and of the credit that stranded or crashed the round there. Its void takes them back (D5.3).
   */
  readonly behind: readonly string[];
  /** What it took from each balance, in units; written by the store with the movement. */
  readonly purse: Purse;
  /** When it was recorded, in milliseconds since 1970. */
  readonly at: number;
}

/** A credit as it is recorded. */
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

/** An end as it is recorded. */
export interface EndRecord extends RecordedCalls {
  readonly type: 'end';
  readonly outcome: RecordedOutcome;
  readonly at: number;
}

/** A void as it is recorded, apart from the debit whose hash it carries (D3.3). */
export interface VoidRecord extends RecordedCalls {
  readonly type: 'void';
  /** What it gave back to each balance, in units; below zero where credits were taken back. */
  readonly purse: Purse;
  readonly at: number;
}

/** A debit, credit or end that is known by its hash (D3.1). */
export type TransactionRecord = DebitRecord | CreditRecord | EndRecord;

/** All that is known of one hash. */
export interface HashEntry {
  readonly transaction?: TransactionRecord;
  readonly void?: VoidRecord;
}

/** The head of a round and what is known of the hashes that were asked for. */
export interface RoundView {
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
}

/** A transaction whose money may be under way to the platform's own ledger. */
export interface PendingPost {
  readonly hash: string;
  /** As the rules recorded it; the outcome is `pending`, a credit's purse is what is to be given. */
  readonly record: TransactionRecord;
  /** Whether the debit is to be paid from the bonus balance first. */
  readonly bonusFirst: boolean;
  /** The follow-up debit that a credit or an end is behind (D5.3); null without one. */
  readonly behind: string | null;
}

/** What a round has under way to the platform's own ledger. */
export interface PendingWork {
  /** When the first of it was written down, in milliseconds since 1970. */
  readonly since: number;
  /** Decided and not yet known to have happened, in the order in which they are posted. */
  readonly posts: readonly PendingPost[];
  /** Hashes whose money is to be taken back, whether it ever moved or not. */
  readonly reversals: readonly string[];
}

/**
 * Why a balance did not move: a definite refusal by the account, not by the round. `refused` is
 * for reasons of the platform's own ledger that have no other name.
 */
export type MovementRefusal =
  | 'noPlayer'
  | 'noCurrency'
  | 'blocked'
  | 'tooLow'
  | 'outOfRange'
  | 'refused';

/** A movement of the player's money, made with the commit of the round or not at all. */
export type Movement =
  /** Takes `amount`, split by the balances at that moment; refused where they are too low. */
  | {
      readonly kind: 'take';
      readonly hash: string;
      readonly currency: string;
      readonly amount: bigint;
      readonly bonusFirst: boolean;
    }
  /** Gives to each balance; refused where the player has no such account. */
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

/** A record to be written under its hash. */
export interface NewRecord {
  readonly hash: string;
  readonly record: TransactionRecord | VoidRecord;
  /** Set where it replaces a record of the same outcome: what moved stays as it is. */
  readonly isRewritten?: true;
}

/** What is known of a hash, with one more record. */
export function withRecord(entry: HashEntry | undefined, record: NewRecord['record']): HashEntry {
  if (record.type === 'void') {
    const transaction = entry?.transaction;
    return transaction === undefined ? { void: record } : { transaction, void: record };
  }
  const known = entry?.void;
  return known === undefined ? { transaction: record } : { transaction: record, void: known };
}

/** What a commit does to a round, atomic and guarded by the version of `before`. */
export interface RoundChange {
  readonly before: RoundHead;
  /** Without what the `take` movements of this change add to `debits`: the store adds that. */
  readonly after: RoundHead;
  readonly records: readonly NewRecord[];
  readonly movements: readonly Movement[];
}

/** Whether a change adds to what is recorded alone: no outcome, no movement. */
export function onlyRewrites({ records }: RoundChange): boolean {
  return records.length > 0 && records.every(({ isRewritten }) => isRewritten);
}

/** Whether rounds in this state are to be looked at by a person (D10, operator-api 3). */
export function needsAttention(state: RoundState): boolean {
  return state === 'cancelled' || state === 'stranded' || state === 'crashed';
}

/**
 * Whether a round is kept for ever; the others for the retention (D10). One with something pending
 * is: it must be found until that is finished.
 */
export function isKeptForEver({ state, pending }: RoundHead): boolean {
  return state === 'open' || needsAttention(state) || pending !== null;
}
