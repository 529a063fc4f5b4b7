import { formatAmount } from '../../../../protocol/money/amount';
import type { Account, PlayerKey, Actor, CashKind, CashMovement } from '../../../wallet';
import type { OperationsSettings } from '../../configuration/options';
import { type PlayedView, viewPlayed } from './days';
import { type LimitsView, viewLimits } from './limits';
import { orUnavailable, queryStore } from '../query-store';
import { misplaced, RequestFault } from '../request';
import { readRounds, type RoundsView, viewRounds } from '../rounds/list';
import type { FilterTexts } from '../rounds/filter';
import { type AttentionRow, viewAttention } from '../waiting/attention';
import { timeOrNull, timeText } from '../../../../platform/time/iso';

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
  /** When the block ends by itself (D13.2): ISO 8601, UTC; null if it does not, or if there is none. */
  readonly blockedUntil: string | null;
  readonly accounts: readonly AccountView[];
  /** When the player was blocked and it was lifted, the newest first; null if the store does not keep it. */
  readonly blocks: readonly BlockRow[] | null;
  /** The limits (D13); null if the store holds none. */
  readonly limits: LimitsView | null;
  /** Movements of cash, the newest first; null if the store keeps none. */
  readonly cash: CashView | null;
  /** The rounds that wait for a person, also those that are on no page of `rounds`; null if the store did not list them. */
  readonly waiting: WaitingView | null;
  /** What was bet and won in the last 30 days; null if the store lists no rounds. */
  readonly played: PlayedView | null;
  /** The rounds, the newest first. */
  readonly rounds: RoundsView;
}

/** The rounds of a player that wait for a person. */
interface WaitingView {
  /** How many were found. */
  readonly total: number;
  /** The oldest first, three at most. */
  readonly rows: readonly AttentionRow[];
  /** False if more may wait: of all players too many do to list them. */
  readonly isWhole: boolean;
}

/** Where the lists of a player begin: the `next` of the page before; null for the newest. */
interface PlayerPlaces {
  readonly cash: string | null;
  readonly rounds: string | null;
  /** Which rounds. */
  readonly filter: FilterTexts;
  /** Whether as many rounds of 30 days are summed as can be read. */
  readonly playsAll: boolean;
}

/** Where a player is read. */
type PlayerPorts = Pick<OperationsSettings, 'store' | 'clock' | 'operators' | 'booksZone'>;

/**
 * A player, with the accounts as of one moment, a page of cash and a page of rounds.
 * @throws RequestFault 404, or 400 for a filter or a place that is not valid; StoreUnavailableError.
 */
export async function viewPlayer(
  ports: PlayerPorts,
  player: PlayerKey,
  places: PlayerPlaces,
): Promise<PlayerView> {
  const known = await readAccounts(ports, player);
  const { filter } = places;
  const read = readRounds(ports, player, places.rounds, filter);
  const isNewest = places.rounds === null && Object.keys(filter).length === 0;
  const newest = isNewest ? read : null;
  const [blocks, limits, cash, waiting, played, rounds] = await Promise.all([
    viewBlocks(ports, player),
    viewLimits(ports, player),
    viewCash(ports, player, places.cash),
    viewWaiting(ports, player),
    viewPlayed(ports, player, { asksAll: places.playsAll, newest }),
    viewRounds(ports, read),
  ]);
  return { ...known, blocks, limits, cash, waiting, played, rounds };
}

async function readAccounts(
  { store, clock }: PlayerPorts,
  player: PlayerKey,
): Promise<Pick<PlayerView, keyof PlayerKey | 'blocked' | 'blockedUntil' | 'accounts'>> {
  const { decimals } = store;
  if (store.players === undefined) {
    const { accounts } = await queryStore(clock, store.rounds.accounts(player));
    if (accounts === null) throw noPlayer();
    const shown = accounts.map((one) => view(one, decimals));
    return { ...player, blocked: null, blockedUntil: null, accounts: shown };
  }
  const found = await queryStore(clock, store.players.readPlayer(player));
  if (found.kind === 'noPlayer') throw noPlayer();
  const accounts = found.accounts.map((one) => view(one, decimals));
  const { blocked, blockedUntil } = found;
  return { ...player, blocked, blockedUntil: timeOrNull(blockedUntil), accounts };
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

/** Those that the first sentence of the page names. */
const mostNamed = 3;

async function viewWaiting(ports: PlayerPorts, player: PlayerKey): Promise<WaitingView | null> {
  const found = await orUnavailable(viewAttention(ports, null, { player }, mostNamed));
  if (typeof found === 'string' || found.isLate) return null;
  return { total: found.fitting, rows: found.rows, isWhole: found.isWhole };
}

/** A player was blocked, or it was lifted. */
export interface BlockRow {
  readonly blocked: boolean;
  /** When it ends by itself: ISO 8601, UTC; null if it does not. */
  readonly until: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Null where a program did it. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/**
 * The latest blocks of a player, the newest first; null if the store does not keep them.
 * @throws StoreUnavailableError
 */
async function viewBlocks(
  { store, clock }: PlayerPorts,
  player: PlayerKey,
): Promise<readonly BlockRow[] | null> {
  if (store.players?.blocks === undefined) return null;
  const found = await queryStore(clock, store.players.blocks(player));
  if (found.kind === 'noPlayer') return [];
  return found.blocks.map(({ at, until, ...block }) => ({
    ...block,
    until: timeOrNull(until),
    at: timeText(at),
  }));
}

/** Movements on a page. */
const movementsOnPage = 20;

/** A movement of cash; the amount is below zero if money was taken. */
export interface CashRow {
  /** ISO 8601, UTC; null if an earlier version moved it without a time. */
  readonly at: string | null;
  readonly kind: CashKind;
  readonly amount: string;
  readonly currency: string;
  readonly balance: 'real' | 'bonus';
  readonly reference: string;
  /** The person who did it; null if a program did. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** A page of a player's cash, the newest first. */
interface CashView {
  readonly movements: readonly CashRow[];
  /** The `cash` of the next page; null on the last. */
  readonly next: string | null;
}

/** A page of a player's cash; null if the store keeps none. @throws RequestFault, StoreUnavailableError */
async function viewCash(
  { store, clock }: PlayerPorts,
  player: PlayerKey,
  before: string | null,
): Promise<CashView | null> {
  if (store.players?.cash === undefined) return null;
  const query = { limit: movementsOnPage, ...(before === null ? {} : { before }) };
  const page = await queryStore(clock, store.players.cash(player, query).catch(misplaced('cash')));
  if (page.kind === 'noPlayer') return { movements: [], next: null };
  return { movements: page.movements.map((one) => rowOf(one, store.decimals)), next: page.next };
}

function rowOf({ at, units, ...movement }: CashMovement, decimals: number): CashRow {
  const { kind, currency, balance, reference, by, reason } = movement;
  return {
    at: timeOrNull(at),
    kind,
    amount: formatAmount(units, decimals),
    currency,
    balance,
    reference,
    by,
    reason,
  };
}
