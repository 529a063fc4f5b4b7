import assert from 'node:assert/strict';
import type { ContractPlayers, ContractWallet, MovedRow } from '../../subject/players';
import type { PlayerKey, WalletStore } from '../../../operator/wallet';
import { accountsOf } from '../case';

/** A wallet over tables of the platform's own, which shows its rows. */
export interface OwnTablesWallet extends ContractWallet {
  readonly players: ContractPlayers & Required<Pick<ContractPlayers, 'moved'>>;
}

/** What a platform has of a player: accounts and rows. */
export interface PlatformState {
  readonly balances: readonly string[];
  /** In no order: platforms need not keep one. */
  readonly rows: readonly string[];
}

/** The player's balances and rows now. */
export async function stateOf(wallet: OwnTablesWallet, player: PlayerKey): Promise<PlatformState> {
  const accounts = await accountsOf(wallet.store, player);
  return {
    balances: accounts.map(({ currency, real, bonus }) => `${currency} ${real} ${bonus ?? 'none'}`),
    rows: (await wallet.players.moved(player)).map(textOf).toSorted(),
  };
}

/** A row in words. */
export function textOf({ hash, currency, real, bonus }: MovedRow): string {
  return `${hash} ${currency} ${real} ${bonus}`;
}

/** Asserts that the rows of the player add up to what the balance in EUR is above its start. */
export async function assertSum(
  { store, players }: { readonly store: WalletStore; readonly players: OwnTablesWallet['players'] },
  player: PlayerKey,
  start: { readonly real: bigint; readonly bonus: bigint },
): Promise<void> {
  const [account] = await accountsOf(store, player);
  const rows = await players.moved(player);
  const sum = rows.reduce(
    (total, { real, bonus }) => ({ real: total.real + real, bonus: total.bonus + bonus }),
    start,
  );
  const now = { real: account?.real ?? 0n, bonus: account?.bonus ?? 0n };
  assert.deepEqual(now, sum, 'the balance must be its start and the sum of the rows');
}
