import type { Purse } from '../../protocol/money/purse';
import type { HashEntry, RoundHead, RoundView, TransactionRecord, VoidRecord } from './round';

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
  'limitReached',
  'refused',
] as const;

/** Money that a void takes back, as it moved once: limits counted it in the window of that time (D13.4). */
export interface TakenBack {
  readonly currency: string;
  /** When it moved, in milliseconds since 1970. */
  readonly at: number;
  /** What debits had taken, in units. */
  readonly debits: Purse;
  /** What credits and repairs had given, in units. */
  readonly credits: Purse;
  /** Set if this is all of a round: the sums of what moved from this time on. */
  readonly isWholeRound?: true;
}

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

/**
 * Why a round is committed: a call; the mark of a call that was answered 5xx (D7); a repair by a person (D11); or work
 * at a ledger that the sweeper finishes.
 */
export type CommitCause = (typeof commitCauses)[number];

/** Every {@link CommitCause}. */
export const commitCauses = ['call', 'mark', 'repair', 'sweep'] as const;

/** What a commit writes to a round: atomic, and guarded by the version of `before`. */
export interface RoundChange {
  readonly before: RoundHead;
  /** Without the amounts that the `take` movements of this change add to `debits`: the store adds them. */
  readonly after: RoundHead;
  readonly records: readonly NewRecord[];
  readonly movements: readonly Movement[];
  /**
   * What its voids take back, for the limits of the player: a change that has any holds no take. Also set where
   * nothing moves, since what was taken and given is the same.
   */
  readonly takenBack?: readonly TakenBack[];
  /** What the platform's own ledger has moved: for the event of the commit; a store moves nothing for it. */
  readonly elsewhere?: readonly Exclude<Movement, { readonly kind: 'take' }>[];
  /** Balances at the platform's own ledger after it, null if not known; absent where the store has the money. */
  readonly balances?: readonly AccountBalance[] | null;
  /** For the event of the commit; `call` unless set. */
  readonly cause?: CommitCause | undefined;
}

/** What a player's account in one currency holds, in units; `bonus` is null if there is no such balance. */
export interface AccountBalance {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** Whether a change counts for the limits of a player though it moves no money here. */
export function countsHidden({ movements, takenBack = [], elsewhere }: RoundChange): boolean {
  return movements.length === 0 && takenBack.length > 0 && elsewhere === undefined;
}

/** Whether a change only rewrites records: no new outcome, no movement. */
export function onlyRewrites({ records }: RoundChange): boolean {
  return records.length > 0 && records.every(({ isRewritten }) => isRewritten);
}

/** Whether a change has nothing to tell those who follow the round: it only notes calls that came again. */
export function tellsNothing(change: RoundChange): boolean {
  const { before, after, movements, elsewhere = [] } = change;
  if (!onlyRewrites(change) || before.state !== after.state) return false;
  return movements.length === 0 && elsewhere.length === 0;
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
