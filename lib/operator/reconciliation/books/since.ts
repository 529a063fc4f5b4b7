import { ReconciliationFailure } from '../rounds/failure';
import type { CashPageResult, PlayerKey, RoundsPageResult, WalletStore } from '../../wallet';
import { type Moved, movedCash, movedUnseen } from './moved';
import type { SeenRound } from './seen';

/** What of a store says why balances are what they are. */
export type BooksStore = Pick<WalletStore, 'decimals' | 'rounds' | 'history' | 'players'>;

/** What moved the balances of a player after an event. */
export interface MovedSince {
  /** What the rounds moved that the events do not have. */
  readonly rounds: readonly Moved[];
  /** The cash from shortly before the event on, the newest first. */
  readonly cash: readonly Moved[];
  /** Whether these are all rounds: the rounds could be listed, and were not too many. */
  readonly isWhole: boolean;
}

/** Most rounds of a player that are listed, and of those that the events have, read where the store lists none. */
const mostListed = 5_000;
const mostRead = 200;

/** By how much the clocks of processes may differ, in milliseconds. */
export const skewMs = 60_000;

/**
 * What the store knows to have moved the player's balances since an event.
 * @param at Time of the player's last event.
 * @throws ReconciliationFailure if the store does not answer.
 */
export async function movedSince(
  store: BooksStore,
  player: PlayerKey,
  at: number,
  seen: ReadonlyMap<string, SeenRound>,
): Promise<MovedSince> {
  const { ids, isWhole } = await roundsSince(store, player, at - skewMs, seen);
  const rounds: Moved[] = [];
  for (const gameRound of ids) {
    const report = await store.rounds.readRound({ ...player, gameRound });
    if (report !== null) rounds.push(...movedUnseen(report, seen.get(gameRound)));
  }
  return { rounds, cash: await cashSince(store, player, at - skewMs), isWhole };
}

/** Rounds of the player that may have moved since; all of them if the store lists rounds. */
async function roundsSince(
  { history }: BooksStore,
  player: PlayerKey,
  since: number,
  seen: ReadonlyMap<string, SeenRound>,
): Promise<{ readonly ids: string[]; readonly isWhole: boolean }> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let listed = 0; listed < mostListed; ) {
    const page: RoundsPageResult | undefined = await history?.rounds(player, {
      limit: 200,
      ...(cursor === null ? {} : { cursor }),
    });
    if (page === undefined || page.kind === 'off') break;
    if (page.kind === 'unknown') throw new ReconciliationFailure('the store does not answer');
    ids.push(...page.rounds.filter((one) => one.lastAt >= since).map(({ gameRound }) => gameRound));
    listed += page.rounds.length;
    cursor = page.next;
    if (cursor === null) return { ids, isWhole: true };
  }
  if (ids.length > 0) return { ids, isWhole: false };
  const latest = [...seen].toSorted(([, one], [, other]) => other.at - one.at);
  return { ids: latest.slice(0, mostRead).map(([round]) => round), isWhole: false };
}

/** Cash that moved after a time, the newest first. */
async function cashSince({ players }: BooksStore, player: PlayerKey, at: number): Promise<Moved[]> {
  const found: Moved[] = [];
  let before: string | null = null;
  for (;;) {
    const page: CashPageResult | undefined = await players?.cash?.(player, {
      limit: 200,
      ...(before === null ? {} : { before }),
    });
    if (page === undefined || page.kind === 'noPlayer') return found;
    if (page.kind === 'unknown') throw new ReconciliationFailure('the store does not answer');
    const later = page.movements.filter((one) => (one.at ?? 0) > at);
    found.push(...later.map(movedCash));
    before = page.next;
    if (before === null || later.length < page.movements.length) return found;
  }
}
