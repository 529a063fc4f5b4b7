import type { MovementRefusal, RoundChange, RoundHead, RoundState, RoundView } from '../gameround';
import type { PlayerKey, RoundKey } from './round-key';
import type { RoundReport } from './round-report';

/** What a player has in one currency, in units; `bonus` is null where there is no such balance. */
export interface Account {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** The store did not answer in time: what was asked may or may not have happened. */
export interface Unknown {
  readonly kind: 'unknown';
  /** For the log. */
  readonly cause: Error;
  /** Set where asking again soon is of no use: the call is answered by D7 at once. */
  readonly giveUp?: true;
}

/** A round as it was at one moment, with the player's accounts at the same moment. */
export interface RoundSnapshot extends RoundView {
  /** Null where the player is not known; absent where the store reads accounts apart. */
  readonly accounts?: readonly Account[] | null;
}

/** The answer to {@link WalletStore.load}. */
export type LoadResult = { readonly kind: 'loaded'; readonly snapshot: RoundSnapshot } | Unknown;

/** The answer to {@link WalletStore.commit}. */
export type CommitResult =
  /** Written and durable. `accounts` is absent where the store reads them apart. */
  | { readonly kind: 'committed'; readonly accounts?: readonly Account[] | null }
  /** The round is not what the change was decided on; nothing was written. */
  | { readonly kind: 'stale' }
  /**
   * A movement is refused by the account, and the change was not written. Where the store cannot
   * move several at once, `head` is that of the round now: with the movements before the refused
   * one pending, for the change that is decided knowing the refusal.
   */
  | {
      readonly kind: 'refused';
      readonly hash: string;
      readonly reason: MovementRefusal;
      readonly head?: RoundHead;
    }
  | Unknown;

/** The answer to {@link WalletStore.accounts}; `accounts` is null where the player is not known. */
export type AccountsResult =
  | { readonly kind: 'known'; readonly accounts: readonly Account[] | null }
  | Unknown;

/** A round that a person should look at. */
export interface AttentionEntry extends RoundKey {
  readonly state: RoundState;
}

/**
 * Rounds, and the money that they move. A store knows no rule: it guards, writes and reads.
 *
 * What each method must guarantee, and what breaks otherwise, is said with it. No method
 * throws for a server that is silent, late or in doubt: that is `unknown` (D7). They throw
 * TypeError for wrong use.
 */
export interface WalletStore {
  /** Decimals kept: one unit is 10^-decimals of the number on the wire (D2.5). */
  readonly decimals: number;

  /**
   * Resolves when the store was found safe to keep money.
   * @throws StoreUnsafeError naming the setting and what is at stake, StoreUnavailableError.
   */
  ready(): Promise<void>;

  /**
   * The head of a round, the records of these hashes alone, and the accounts, as of one moment.
   * Reads what was committed last, never a replica behind it.
   */
  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult>;

  /**
   * Writes the change if the round's version is still that of `change.before`, with all its
   * movements. A `take` is split by the balances at that moment, the split is stored in the
   * debit's record and added to the head's `debits`. Answered `committed` only when durable, and
   * with a higher version. Executed twice it must change nothing: the version sees to that.
   */
  commit(round: RoundKey, change: RoundChange): Promise<CommitResult>;

  /** The player's accounts as of one moment. */
  accounts(player: PlayerKey): Promise<AccountsResult>;

  /**
   * The operator's rounds that are cancelled, stranded or crashed. A round that changes its
   * state meanwhile may be missing or listed with the state it had.
   * @throws StoreUnavailableError
   */
  attention(operatorId: string): AsyncIterable<AttentionEntry>;

  /**
   * One round whole, as `createRoundReport` makes it; null where nothing is known of it.
   * @throws StoreUnavailableError
   */
  readRound(round: RoundKey): Promise<RoundReport | null>;

  /** Lets go of everything the store owns; what is under way may end as `unknown`. */
  close(): Promise<void>;
}
