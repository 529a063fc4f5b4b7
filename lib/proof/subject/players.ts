import type { ContractRunner } from './runner';
import type { Units } from '../../protocol/money/amount';
import type {
  Account,
  AccountStore,
  NewPlayer,
  PlayerKey,
  WalletStore,
} from '../../operator/wallet';

/** The options that a store under test must accept. */
export interface ContractStoreOptions {
  /** Decimals kept (D2.5). */
  readonly decimals: number;
  /** How long closed and voided rounds are kept, in milliseconds (D10). */
  readonly retentionMs: number;
}

/** A player whom a suite opens in one currency, with units in each balance. */
export interface ContractPlayer extends PlayerKey {
  readonly currency: string;
  /** `bonus` absent: the player has no such balance. */
  readonly balances: { readonly real: Units; readonly bonus?: Units };
}

/** A deposit or withdrawal of a suite's player, in units. */
export interface ContractCash extends PlayerKey {
  readonly currency: string;
  readonly amount: Units;
  /** Unique for each order. Only stores that keep money need it: they move it once per reference. */
  readonly reference: string;
  /** Which balance; `real` unless set. */
  readonly balance?: 'real' | 'bonus';
}

/** The result of an order; `refused` if there is no such account or too little in it: nothing moved. */
export type ContractCashResult =
  | { readonly kind: 'done'; readonly replay?: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' };

/**
 * The players of a store under test, as the platform's own services open, fund and block them. A store
 * that keeps the money has a part with these methods. For a ledger, write these four over its own tables:
 * `units` unchanged, atomic like its postings, throwing if something is wrong.
 */
export interface ContractPlayers {
  /** Opens the player, if necessary, with an account in a new currency. */
  openPlayer(player: ContractPlayer): Promise<unknown>;

  /** Adds money. */
  deposit(order: ContractCash): Promise<ContractCashResult>;

  /** Takes money, all of it or none: never more than the balance. */
  withdraw(order: ContractCash): Promise<ContractCashResult>;

  /**
   * Blocks or unblocks a player: debits are refused, credits and reversals continue (D4.9). Does nothing
   * for an unknown player.
   */
  setBlocked(player: PlayerKey, blocked: boolean): Promise<unknown>;

  /**
   * What the platform's own rows say: a line for each that `move_money` has written for the player, in units, as it
   * changed the balances. For tables of the platform's own; the suites compare their sum with the balances.
   */
  moved?(player: PlayerKey): Promise<readonly MovedRow[]>;
}

/** A row of the platform's own about a bet, a win or a reversal. */
export interface MovedRow {
  readonly currency: string;
  /** What it added to each balance, in units; below zero where it took. */
  readonly real: bigint;
  readonly bonus: bigint;
  /** The hash of the transaction. */
  readonly hash: string;
}

/** A platform that has no operators, whose players are unique. */
export interface OneOperator {
  readonly operatorId: string;
  /** An id as the platform has them, such as a UUID, for 64 hexadecimal digits: the same for the same ones. */
  readonly playerId: (digits: string) => string;
}

/** A store under test, and the players whose money it moves. */
export interface ContractWallet {
  readonly store: WalletStore;
  readonly players: ContractPlayers;
  /**
   * Whether a commit is one moment with the money, although its players are apart, as with `createOwnTablesStore`; false
   * unless set.
   */
  readonly isAtomic?: boolean;
  /**
   * For tables without an operator in their keys: the suites' players become players of this one. Not for the suites of
   * history, repairs and events.
   */
  readonly oneOperator?: OneOperator;
}

/** A store that keeps the money brings its own players. */
export function toContractWallet(made: AccountStore | ContractWallet): ContractWallet {
  return 'store' in made ? made : { store: made, players: made.players };
}

/** Whether the store keeps the money itself, and moves cash too. */
export function keepsMoney({ store, players }: ContractWallet): boolean {
  return store.players === players;
}

/** Whether a commit is all or nothing, and one moment, with the money that it moves. */
export function isAtomic(wallet: ContractWallet): boolean {
  return keepsMoney(wallet) || wallet.isAtomic === true;
}

/** A player in the form that every kind of players accepts. */
export function contractPlayer(
  { operatorId, playerId }: PlayerKey,
  currency: string,
  real: bigint,
  bonus?: bigint,
): ContractPlayer & NewPlayer {
  const balances = { real: { units: real } };
  if (bonus !== undefined)
    return { operatorId, playerId, currency, balances: { ...balances, bonus: { units: bonus } } };
  return { operatorId, playerId, currency, balances };
}

/**
 * Creates a store with its players; a store that keeps the money is enough alone. Its data may come from
 * stores created before, also by other processes, as long as they use the same decimals: every case uses
 * its own operator ids.
 */
export type CreateContractStore = (
  options: ContractStoreOptions,
) => AccountStore | ContractWallet | Promise<AccountStore | ContractWallet>;

/** What a suite takes, and for a part of a store all that it takes. */
export interface StoreSuiteOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates a store with these options, and with the part that is asked for; the suite closes it. */
  readonly createStore: CreateContractStore;
}

/**
 * Accounts in the order of their currencies. Copied, because jest gives tests an Array of their own realm:
 * a list built from what `fetch` answered would equal no other.
 */
export function sorted(accounts: readonly Account[]): readonly Account[] {
  const copies = Array.from(accounts, ({ currency, real, bonus }) => ({ currency, real, bonus }));
  return copies.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
