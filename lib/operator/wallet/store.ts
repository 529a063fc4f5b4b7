import type { MovementRefusal, RoundChange, RoundHead, RoundView } from '../gameround';
import type { FollowUp } from '../gameround/follow-up';
import type { EventSource } from './round-event';
import type { AttentionEntry, RepairList, RoundHistory } from './round-history';
import type { PlayerKey, RoundKey } from './round-key';
import type { RoundReport } from './round-report';
import type { Unknown } from './store-errors';

export type { Unknown } from './store-errors';

/** A player's balances in one currency, in units; `bonus` is null if there is no such balance. */
export interface Account {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** A round at one moment, with the player's accounts at the same moment. */
export interface RoundSnapshot extends RoundView {
  /** Null if the player is unknown; absent if the store reads accounts separately. */
  readonly accounts?: readonly Account[] | null;
}

/** The answer to {@link WalletStore.load}. */
export type LoadResult = { readonly kind: 'loaded'; readonly snapshot: RoundSnapshot } | Unknown;

/** The answer to {@link WalletStore.commit}. */
export type CommitResult =
  /** Written and durable. `accounts` is absent if the store reads them separately. */
  | { readonly kind: 'committed'; readonly accounts?: readonly Account[] | null }
  /**
   * The round has changed since the decision; nothing was written. `snapshot`, only where `hashes` asked for
   * it, is what `load` of these would answer, as of a moment after that.
   */
  | { readonly kind: 'stale'; readonly snapshot?: RoundSnapshot }
  /**
   * The account refuses a movement, and the change was not written. If the store cannot move several at
   * once, `head` is the round's head now: with the movements before the refused one pending, for the next
   * decision, which knows the refusal.
   */
  | {
      readonly kind: 'refused';
      readonly hash: string;
      readonly reason: MovementRefusal;
      readonly head?: RoundHead;
    }
  | Unknown;

/** The answer to {@link WalletStore.follow}. */
export type FollowResult =
  /** Written and durable, as a commit of it. */
  | Extract<CommitResult, { readonly kind: 'committed' }>
  /**
   * Nothing was written: the round is not of the class, knows a hash of it, changed while the store waited
   * for it, or the account refuses a movement. `snapshot` is what `load` of these hashes would answer, as of
   * that moment.
   */
  | { readonly kind: 'other'; readonly snapshot: RoundSnapshot }
  | Unknown;

/** The answer to {@link WalletStore.accounts}; `accounts` is null if the player is unknown. */
export type AccountsResult =
  | { readonly kind: 'known'; readonly accounts: readonly Account[] | null }
  | Unknown;

/**
 * Rounds, and the money that they move. A store guards, writes and reads; it knows no rule but who pays a
 * debit first (`splitDebit`).
 *
 * Each method states what it must guarantee and what breaks otherwise. No method throws for a server that
 * is silent, late or in doubt: that is `unknown` (D7). They throw InvalidInputError for a wrong text, TypeError for other wrong use.
 *
 * The methods of {@link EventSource} are optional: without them nothing can follow the store's events. So
 * are those of {@link RoundHistory}: without them a player's rounds cannot be listed; and that of
 * {@link RepairList}: without it a round alone says how it was repaired.
 */
export interface WalletStore
  extends Partial<EventSource>,
    Partial<RoundHistory>,
    Partial<RepairList> {
  /** Decimals kept: one unit is 10^-decimals of the number on the wire (D2.5). */
  readonly decimals: number;

  /**
   * Whether a commit writes `RoundHead.repairs` and a load returns it unchanged, and rounds with it are kept
   * for ever. Without it no repair can be proposed: a repair whose record is lost could be made twice.
   */
  readonly keepsRepairs?: boolean;

  /** How many acknowledged commits the store has found missing after it connected anew; for the metrics. */
  readonly lostCommits?: number;

  /**
   * Resolves once the server check has passed.
   * @throws StoreUnsafeError that names the setting and what is at stake, StoreUnavailableError.
   */
  ready(): Promise<void>;

  /**
   * Optional: the wall clock of the store's server, in milliseconds since 1970; null if its user may not ask. A store in
   * this process has none. The router compares its own clock with it.
   * @throws StoreUnavailableError
   */
  readonly serverTime?: (() => Promise<number | null>) | undefined;

  /**
   * The head of a round, only the records of these hashes, and the accounts, as of one moment. Reads the
   * latest commit, never a stale replica.
   */
  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult>;

  /**
   * Writes the change with all its movements if the round's version is still that of `change.before`. A
   * `take` is split by the balances at that moment; the split is stored in the debit's record and added to
   * the head's `debits`. Answers `committed` only once durable, and with a higher version. A second
   * execution must change nothing: the version guarantees that.
   *
   * With `hashes`, a stale answer may bring along what a load of them would answer, which saves the caller a
   * trip. A store need not; without them it must not.
   */
  commit(round: RoundKey, change: RoundChange, hashes?: readonly string[]): Promise<CommitResult>;

  /**
   * Optional: adds to a round what was decided without reading it, in one trip. In one moment with what it
   * writes it makes sure that the head is one of the class (`isOfClass`) and that none of the hashes is
   * known, neither as transaction nor as void; `changeOf` says all of that. It then does what a commit of
   * that change does. If any of this is not so, it writes nothing. A second execution, however late, must
   * write nothing: each hash of the first one is known. A store without it is loaded from.
   */
  follow?(round: RoundKey, followUp: FollowUp): Promise<FollowResult>;

  /** The player's accounts as of one moment. */
  accounts(player: PlayerKey): Promise<AccountsResult>;

  /**
   * The operator's rounds that are cancelled, stranded or crashed, each built by `createAttentionEntry`. A
   * round that changes its state meanwhile may be missing, or listed with its former state. It costs what
   * is listed, whatever else the store holds.
   * @throws StoreUnavailableError
   */
  attention(operatorId: string): AsyncIterable<AttentionEntry>;

  /**
   * The operator's rounds that are open, and have been since `before` (milliseconds since 1970) or longer:
   * a round whose end never came. Optional: a store without an index of them does not have it, such as one in
   * Redis without the option `history`. It costs what is listed.
   * @throws StoreUnavailableError
   */
  readonly openRounds?:
    | ((operatorId: string, before: number) => AsyncIterable<AttentionEntry>)
    | undefined;

  /**
   * A whole round, built by `createRoundReport`; null if nothing is known of it.
   * @throws StoreUnavailableError
   */
  readRound(round: RoundKey): Promise<RoundReport | null>;

  /** Releases everything the store owns; operations in flight may end as `unknown`. */
  close(): Promise<void>;
}

/**
 * The rounds of a store, without money: a ledger store keeps its intents there. Every store that keeps
 * money is also a journal. It never sees a movement: the changes committed here have none.
 */
export interface RoundJournal extends Omit<WalletStore, 'accounts'> {
  /**
   * The operator's rounds whose head has pending work. A round that changes meanwhile may be missing, or
   * listed although its pending work is done.
   * @throws StoreUnavailableError
   */
  unfinished(operatorId: string): AsyncIterable<RoundKey>;

  /**
   * Optional: `createLedgerStore` calls it at once, before anything else. From then on `ready` refuses data in which
   * a store kept accounts, and a store refuses the journal's data for accounts. Breaks otherwise: a void of a round from
   * before is answered as done, and pays nobody.
   */
  keepForLedger?(): void;
}
