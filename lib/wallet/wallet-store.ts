import type {
  HashEntry,
  MovementRefusal,
  RoundChange,
  RoundHead,
  RoundState,
  RoundView,
} from '../gameround';
import type { AmountInput } from '../money';

/** A player of an operator. */
export interface PlayerKey {
  readonly operatorId: string;
  readonly playerId: string;
}

/** A gameround of a player. */
export interface RoundKey extends PlayerKey {
  readonly gameRound: string;
}

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
}

/** A round as it was at one moment, with the player's accounts at the same moment. */
export interface RoundSnapshot extends RoundView {
  /** Null where the player is not known. */
  readonly accounts: readonly Account[] | null;
}

/** The answer to {@link WalletStore.load}. */
export type LoadResult = { readonly kind: 'loaded'; readonly snapshot: RoundSnapshot } | Unknown;

/** The answer to {@link WalletStore.commit}. */
export type CommitResult =
  /** Written and durable. */
  | { readonly kind: 'committed'; readonly accounts: readonly Account[] | null }
  /** The round is not what the change was decided on; nothing was written. */
  | { readonly kind: 'stale' }
  /** A movement is refused by the account; nothing was written. */
  | { readonly kind: 'refused'; readonly hash: string; readonly reason: MovementRefusal }
  | Unknown;

/** The answer to {@link WalletStore.accounts}; `accounts` is null where the player is not known. */
export type AccountsResult =
  | { readonly kind: 'known'; readonly accounts: readonly Account[] | null }
  | Unknown;

/** A player to be opened in one currency. Amounts are decimal texts, or bigints in units. */
export interface NewPlayer extends PlayerKey {
  readonly currency: string;
  readonly balances: { readonly real: AmountInput; readonly bonus?: AmountInput };
}

/** The answer to {@link WalletStore.openPlayer}. */
export type OpenPlayerResult =
  | { readonly kind: 'opened' | 'existed'; readonly account: Account }
  | Unknown;

/** Money that a player brings or takes away. */
export interface CashOrder extends PlayerKey {
  readonly currency: string;
  readonly amount: AmountInput;
  /** The operator's own reference; the same one moves money once, for ever. */
  readonly reference: string;
  /** Which balance; `real` unless set. */
  readonly balance?: 'real' | 'bonus';
}

/** The answer to a deposit or a withdrawal. */
export type CashResult =
  /** `replay`: the reference was known with the same content, and nothing moved again. */
  | { readonly kind: 'done'; readonly account: Account; readonly replay: boolean }
  /** Final for the moment, not for the reference: nothing was recorded. */
  | { readonly kind: 'refused'; readonly reason: CashRefusal }
  | Unknown;

/** Why no money moved. `referenceReused`: the reference is known with other content. */
export type CashRefusal = 'noPlayer' | 'noCurrency' | 'tooLow' | 'outOfRange' | 'referenceReused';

/** The answer to {@link WalletStore.setBlocked}. */
export type BlockResult = { readonly kind: 'done' | 'noPlayer' } | Unknown;

/** A round that a person should look at. */
export interface AttentionEntry extends RoundKey {
  readonly state: RoundState;
}

/** A round whole: the head, and all that is recorded under each hash. */
export interface RoundReport extends RoundKey {
  readonly head: RoundHead;
  readonly entries: ReadonlyMap<string, HashEntry>;
}

/**
 * Where money and rounds are kept. A store knows no rule: it guards, writes and reads.
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
   * Writes the change if the round's version is still that of `change.before`, with all
   * movements or none. A `take` is split by the balances at that moment, the split is stored in
   * the debit's record and added to the head's `debits`. Answered `committed` only when durable.
   * Executed twice it must change nothing: the version sees to that.
   */
  commit(round: RoundKey, change: RoundChange): Promise<CommitResult>;

  /** The player's accounts as of one moment. */
  accounts(player: PlayerKey): Promise<AccountsResult>;

  /** Opens the account if the player has none in that currency; otherwise nothing changes. */
  openPlayer(player: NewPlayer): Promise<OpenPlayerResult>;

  /** Adds money once per reference. After `unknown`, send the same order again. */
  deposit(order: CashOrder): Promise<CashResult>;

  /** Takes money once per reference, never more than there is. */
  withdraw(order: CashOrder): Promise<CashResult>;

  /** Blocks a player, or lifts it: debits are refused, credits and voids go on (D4.9). */
  setBlocked(player: PlayerKey, blocked: boolean): Promise<BlockResult>;

  /**
   * The operator's rounds that are cancelled, stranded or crashed. A round that changes its
   * state meanwhile may be missing or listed with the state it had.
   * @throws StoreUnavailableError
   */
  attention(operatorId: string): AsyncIterable<AttentionEntry>;

  /**
   * One round whole; null where nothing is known of it.
   * @throws StoreUnavailableError
   */
  readRound(round: RoundKey): Promise<RoundReport | null>;

  /** Lets go of everything the store owns; what is under way may end as `unknown`. */
  close(): Promise<void>;
}
