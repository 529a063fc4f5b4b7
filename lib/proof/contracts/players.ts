import type { Units } from '../../protocol/money';
import type { AccountStore, NewPlayer, PlayerKey, WalletStore } from '../../operator/wallet';

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
 * The players behind a store under test, as the platform's own services open, fund and block them. A store
 * that keeps the money already has these methods. For a ledger, write these four over its own tables:
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
}

/** A store under test, and the players whose money it moves. */
export interface ContractWallet {
  readonly store: WalletStore;
  readonly players: ContractPlayers;
}

/** A store that keeps the money serves as its own players. */
export function toContractWallet(made: AccountStore | ContractWallet): ContractWallet {
  return 'openPlayer' in made ? { store: made, players: made } : made;
}

/** Whether the store keeps the money itself: then its commit is all or nothing, and one moment. */
export function keepsMoney({ store, players }: ContractWallet): boolean {
  return (store as unknown) === players;
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

/** The wallet of a suite, ready. */
export async function makeContractWallet(
  createStore: CreateContractStore,
  options: ContractStoreOptions,
): Promise<ContractWallet> {
  const wallet = toContractWallet(await createStore(options));
  await wallet.store.ready();
  return wallet;
}
