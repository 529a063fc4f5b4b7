import type { Units } from '../../protocol/money';
import type { AccountStore, NewPlayer, PlayerKey, WalletStore } from '../../operator/wallet';

/** The options that a store under test must take. */
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

/** Money that a player of a suite brings or takes away, in units. */
export interface ContractCash extends PlayerKey {
  readonly currency: string;
  readonly amount: Units;
  /** Unique for each order, but to stores that keep money: they move it once per reference. */
  readonly reference: string;
  /** Which balance; `real` unless set. */
  readonly balance?: 'real' | 'bonus';
}

/** What became of an order; `refused` where there is no such account or too little in it: nothing moved. */
export type ContractCashResult =
  | { readonly kind: 'done'; readonly replay?: boolean }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' };

/**
 * The players behind a store under test, as the platform's own services open, fund and block them.
 * A store that keeps the money is one as it is. For a ledger, write these four over its own
 * tables: `units` as they come, atomic like its postings, throwing where something is wrong.
 */
export interface ContractPlayers {
  /** Opens the player, if need be, with an account in a currency that the player does not have. */
  openPlayer(player: ContractPlayer): Promise<unknown>;

  /** Adds money. */
  deposit(order: ContractCash): Promise<ContractCashResult>;

  /** Takes money, all of it or none: never more than there is. */
  withdraw(order: ContractCash): Promise<ContractCashResult>;

  /**
   * Blocks a player, or lifts it: debits are refused, credits and reversals go on (D4.9). Of a
   * player who is not known it does nothing.
   */
  setBlocked(player: PlayerKey, blocked: boolean): Promise<unknown>;
}

/** A store under test, and the players whose money it moves. */
export interface ContractWallet {
  readonly store: WalletStore;
  readonly players: ContractPlayers;
}

/** A store that keeps the money is its own players. */
export function toContractWallet(made: AccountStore | ContractWallet): ContractWallet {
  return 'openPlayer' in made ? { store: made, players: made } : made;
}

/** Whether the store keeps the money itself: then a commit of it is all or nothing, and one moment. */
export function keepsMoney({ store, players }: ContractWallet): boolean {
  return (store as unknown) === players;
}

/** A player as every kind of players takes it. */
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
 * Makes a store with its players; one that keeps the money is its own players, and is enough. Its
 * data may be those of stores made before, also by other processes, as long as they keep the same
 * decimals: every case works under operator ids of its own.
 */
export type CreateContractStore = (
  options: ContractStoreOptions,
) => AccountStore | ContractWallet | Promise<AccountStore | ContractWallet>;

/** The wallet of a suite, ready. */
export async function makeContractWallet(
  createStore: CreateContractStore,
  options: ContractStoreOptions,
): Promise<ContractWallet> {
  const wallet = toContractWallet(await createStore(options));
  await wallet.store.ready();
  return wallet;
}
