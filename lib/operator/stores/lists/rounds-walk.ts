import type { BesideResult, RoundSummary } from '../../wallet';
import type { CheckedRoundsQuery } from './rounds-query';

/** A round, and its number in the order of opening, which rises. */
export interface NumberedRound {
  readonly number: string;
  /** The version of its head. */
  readonly version: number;
  readonly summary: RoundSummary;
}

/** Some of a player's rounds, the newest first. */
export interface RoundsPart {
  readonly rounds: readonly NumberedRound[];
  /** The number of the last round that was looked at, also of one that is deleted; null if there was none. */
  readonly last: string | null;
  readonly isEnd: boolean;
}

/** Reads at most so many rounds before a number, or the newest. */
export type ReadRounds = (before: string | null, atMost: number) => Promise<RoundsPart>;

/** How much one request may read. */
export interface WalkLimits {
  readonly atOnce: number;
  readonly atMost: number;
}

/** A page of the rounds that fit, and the number to continue before; null if this was the last. */
interface WalkedPage {
  readonly rounds: readonly RoundSummary[];
  readonly next: string | null;
}

/** Most that the clocks of processes may differ: rounds are in the order of commits, their times are those of processes. */
export const clockSlackMs = 600_000;
/** Rounds that one step of the search looks at, should the newest of them be deleted. */
const probed = 4;

/**
 * Walks on from a place, or from `to`, until the page is full, `from` is passed, or so much is read. Without a filter of what a
 * round is, each reading counts as `atOnce`, so that deleted rounds do not keep one request busy.
 */
export async function walkRounds(
  read: ReadRounds,
  query: CheckedRoundsQuery,
  place: string | null,
  { atOnce, atMost }: WalkLimits,
): Promise<WalkedPage> {
  const { from, to, limit } = query;
  const isSelective = query.game !== null || query.state !== null || query.min !== null;
  const found: NumberedRound[] = [];
  let before = place ?? (to === null ? null : await firstAfter(read, to + clockSlackMs));
  for (let left = atMost; left > 0; ) {
    const wanted = isSelective ? atOnce : limit - found.length + 1;
    const part = await read(before, Math.min(wanted, left));
    left -= Math.max(wanted, atOnce);
    found.push(...part.rounds.filter(({ summary }) => fits(summary, query)));
    if (found.length > limit) return pageOf(found.slice(0, limit), found[limit - 1]?.number);
    const isPast = part.rounds.some(
      ({ summary }) => from !== null && summary.openedAt < from - clockSlackMs,
    );
    if (part.isEnd || isPast) return pageOf(found);
    before = part.last ?? before;
    if (found.length === limit) break;
  }
  return pageOf(found, before);
}

/** Rounds that a search for one reads at once, and in all. */
const besideLimits = { atOnce: 100, atMost: 2000 };

/** The rounds before and after one that was opened at this time. */
export async function walkBeside(
  read: ReadRounds,
  gameRound: string,
  openedAt: number,
): Promise<BesideResult> {
  const later = await firstAfter(read, openedAt + clockSlackMs);
  let place = later === null ? null : String(BigInt(later) + 1n);
  let [after, isFound]: [RoundSummary | null, boolean] = [null, false];
  for (let left = besideLimits.atMost; left > 0; left -= besideLimits.atOnce) {
    const part = await read(place, besideLimits.atOnce);
    for (const { summary } of part.rounds) {
      if (isFound) return { kind: 'known', before: summary, after };
      if (summary.gameRound === gameRound) isFound = true;
      else after = summary;
    }
    if (part.isEnd) return isFound ? { kind: 'known', before: null, after } : { kind: 'notFound' };
    place = part.last ?? place;
  }
  return { kind: 'notFound' };
}

function pageOf(found: readonly NumberedRound[], next?: string | null): WalkedPage {
  return { rounds: found.map(({ summary }) => summary), next: next ?? null };
}

function fits(round: RoundSummary, { from, to, game, state, min }: CheckedRoundsQuery): boolean {
  const { openedAt, gameCode, credits } = round;
  if (from !== null && openedAt < from) return false;
  if (to !== null && openedAt >= to) return false;
  if (game !== null && gameCode !== game) return false;
  if (state !== null && round.state !== state) return false;
  return min === null || credits.real + credits.bonus >= min;
}

/**
 * The number of the oldest round that was opened after a moment; null if the newest was not. Where rounds are deleted it may be
 * that of a later one, which costs a longer walk.
 */
async function firstAfter(read: ReadRounds, moment: number): Promise<string | null> {
  const newest = (await read(null, probed)).rounds[0];
  if (newest === undefined || newest.summary.openedAt <= moment) return null;
  let [low, high] = [0n, BigInt(newest.number)];
  while (low + 1n < high) {
    const middle = (low + high + 1n) / 2n;
    const seen = (await read(String(middle), probed)).rounds[0];
    if (seen !== undefined && seen.summary.openedAt > moment) high = BigInt(seen.number);
    else low = middle;
  }
  return String(high);
}
