import type { MovementRefusal, RoundChange, RoundHead, RoundState, RoundView } from '../gameround';
import type { PlayerKey, RoundKey } from './round-key';
import type { RoundReport } from './round-report';

/** A player's balances in one currency, in units; `bonus` is null if there is no such balance. */
export interface Account {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** The store did not answer in time: the operation may or may not have happened. */
export interface Unknown {
  readonly kind: 'unknown';
  /** For the log. */
  readonly cause: Error;
  /** Set if an immediate retry is useless: the call is answered by D7 at once. */
  readonly giveUp?: true;
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
  /** The round has changed since the decision; nothing was written. */
  | { readonly kind: 'stale' }
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

/** The answer to {@link WalletStore.accounts}; `accounts` is null if the player is unknown. */
export type AccountsResult =
  | { readonly kind: 'known'; readonly accounts: readonly Account[] | null }
  | Unknown;

/** A round that a person should look at. */
export interface AttentionEntry extends RoundKey {
  readonly state: RoundState;
}

/**
 * Rounds, and the money that they move. A store guards, writes and reads; it knows no rule but who pays a
 * debit first (`splitDebit`).
 *
 * Each method states what it must guarantee and what breaks otherwise. No method throws for a server that
 * is silent, late or in doubt: that is `unknown` (D7). They throw TypeError for wrong use.
 */
export interface WalletStore {
  /** Decimals kept: one unit is 10^-decimals of the number on the wire (D2.5). */
  readonly decimals: number;

  /**
   * Resolves once the server check has passed.
   * @throws StoreUnsafeError that names the setting and what is at stake, StoreUnavailableError.
   */
  ready(): Promise<void>;

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
   */
  commit(round: RoundKey, change: RoundChange): Promise<CommitResult>;

  /** The player's accounts as of one moment. */
  accounts(player: PlayerKey): Promise<AccountsResult>;

  /**
   * The operator's rounds that are cancelled, stranded or crashed. A round that changes its state
   * meanwhile may be missing, or listed with its former state.
   * @throws StoreUnavailableError
   */
  attention(operatorId: string): AsyncIterable<AttentionEntry>;

  /**
   * A whole round, built by `createRoundReport`; null if nothing is known of it.
   * @throws StoreUnavailableError
   */
  readRound(round: RoundKey): Promise<RoundReport | null>;

  /** Releases everything the store owns; operations in flight may end as `unknown`. */
  close(): Promise<void>;
}
