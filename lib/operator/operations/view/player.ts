import { formatAmount } from '../../../protocol/money';
import type { Clock } from '../../../platform';
import type { OperationsStore } from '../configuration';
import type { Account, PlayerKey } from '../../wallet';
import { queryStore } from './query-store';
import { type BlockRow, viewBlocks } from './blocks';
import { type CashView, viewCash } from './cash';
import { RequestFault } from './request-fault';
import { type RoundsView, viewRounds } from './rounds';

/** A player's account, amounts as decimal texts. */
export interface AccountView {
  readonly currency: string;
  readonly real: string;
  /** Null if there is no bonus balance. */
  readonly bonus: string | null;
}

/** A player, for the page and its `.json`. */
export interface PlayerView extends PlayerKey {
  /** Whether debits are refused (D4.9); null if the store does not know, as over a platform's own ledger. */
  readonly blocked: boolean | null;
  readonly accounts: readonly AccountView[];
  /** When the player was blocked and it was lifted, the newest first; null if the store does not keep it. */
  readonly blocks: readonly BlockRow[] | null;
  /** Movements of cash, the newest first; null if the store keeps none. */
  readonly cash: CashView | null;
  /** The rounds, the newest first. */
  readonly rounds: RoundsView;
}

/** Where the pages of a player begin: the `next` of the page before; null for the newest. */
export interface PlayerPlaces {
  readonly cash: string | null;
  readonly rounds: string | null;
}

/** Where a player is read. */
export interface PlayerPorts {
  readonly store: OperationsStore;
  readonly clock: Clock;
}

/**
 * A player, with the accounts as of one moment, a page of cash and a page of rounds.
 * @throws RequestFault 404, or 400 for a place that is not valid; StoreUnavailableError.
 */
export async function viewPlayer(
  ports: PlayerPorts,
  player: PlayerKey,
  places: PlayerPlaces,
): Promise<PlayerView> {
  const known = await readAccounts(ports, player);
  const [blocks, cash, rounds] = await Promise.all([
    viewBlocks(ports, player),
    viewCash(ports, player, places.cash),
    viewRounds(ports, player, places.rounds),
  ]);
  return { ...known, blocks, cash, rounds };
}

async function readAccounts(
  { store, clock }: PlayerPorts,
  player: PlayerKey,
): Promise<Omit<PlayerView, 'blocks' | 'cash' | 'rounds'>> {
  const { decimals } = store;
  if (store.readPlayer === undefined) {
    const { accounts } = await queryStore(clock, store.accounts(player));
    if (accounts === null) throw noPlayer();
    return { ...player, blocked: null, accounts: accounts.map((one) => view(one, decimals)) };
  }
  const found = await queryStore(clock, store.readPlayer(player));
  if (found.kind === 'noPlayer') throw noPlayer();
  const accounts = found.accounts.map((one) => view(one, decimals));
  return { ...player, blocked: found.blocked, accounts };
}

function view({ currency, real, bonus }: Account, decimals: number): AccountView {
  return {
    currency,
    real: formatAmount(real, decimals),
    bonus: bonus === null ? null : formatAmount(bonus, decimals),
  };
}

function noPlayer(): RequestFault {
  return new RequestFault(404, 'The store has no such player.');
}
