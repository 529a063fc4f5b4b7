import { formatAmount } from '../../../protocol/money/amount';
import { longestReconciliation } from '../../wallet';
import { periodDays } from '../counting/days';
import type { Difference, NamedRound, RoundSide } from '../counting/difference';
import { countingText, type Reconciliation } from '../counting/result';
import {
  type FoundKind,
  foundKinds,
  type SavedDay,
  type SavedRound,
  type SavedSide,
  type SavedVoid,
} from './day';
import { noGames, savedCells } from './cells';

/** The days that were asked for, and the decimals of amounts. */
interface SavedPeriod {
  readonly from: string;
  readonly to: string;
  readonly decimals: number;
}

/** Most rounds, currencies and voids without a debit of a day. */
const [mostRounds, mostCells, mostVoids] = [10, 200, 100];

/** What is kept of the days if the own check found faults: nothing was compared. */
export function uncheckedDays({ from, to }: SavedPeriod, faults: number): Map<string, SavedDay> {
  const days = periodDays(from, to);
  return new Map(
    days.map((day, at) => {
      const kept: SavedDay = {
        word: 'unknown',
        reason: 'the own check failed, so the RGS was not asked',
        counting: null,
        endedAt: null,
        cells: [],
        kinds: at === days.length - 1 ? { 'own check': faults } : {},
        rounds: [],
        leftOut: 0,
        currenciesLeftOut: 0,
      };
      return [day, kept];
    }),
  );
}

/** A comparison, and what it found that names no day of the period. */
interface Run {
  readonly result: Reconciliation;
  readonly decimals: number;
  readonly loose: readonly Difference[];
  /** The first day that was asked for. */
  readonly first: string;
}

/** What is kept of each day of a comparison. What names no day is listed on the last one, and then no day is equal. */
export function daysOfResult(result: Reconciliation, period: SavedPeriod): Map<string, SavedDay> {
  const days = periodDays(period.from, period.to);
  const isNamed = new Set<string | null>(days);
  const loose = result.differences.filter(({ day }) => !isNamed.has(day));
  const run = { result, loose, first: days[0] ?? '', decimals: period.decimals };
  return new Map(days.map((day, at) => [day, cutToFit(dayOf(run, day, at === days.length - 1))]));
}

function dayOf(run: Run, day: string, isLast: boolean): SavedDay {
  const { result, loose, decimals } = run;
  const { fit, faulty, left } = result;
  const own = result.differences.filter((one) => one.day === day);
  const listed = (isLast ? [...own, ...loose] : own).toSorted(
    (one, other) => Number(one.isTolerated) - Number(other.isTolerated),
  );
  const cells = savedCells(result, day, own, decimals);
  const rounds = listed.flatMap((cell) => cell.rounds.map((one) => roundOf(one, cell, decimals)));
  const kinds = kindsOf(listed);
  if (isLast) {
    count(kinds, 'row not read', faulty);
    count(kinds, 'not listed', left);
  }
  const isCompared = result.days.includes(day);
  const unlisted = Math.max(0, rounds.length - mostRounds);
  return {
    ...wordOf(run, day, own),
    counting: isCompared ? countingText(fit.counting) : null,
    endedAt: isCompared ? new Date(fit.zone.boundsOf(day).to).toISOString() : null,
    cells: cells.slice(0, mostCells),
    kinds,
    rounds: rounds.slice(0, mostRounds),
    leftOut: listed.reduce((sum, { more }) => sum + more, unlisted),
    currenciesLeftOut: Math.max(0, cells.length - mostCells),
    ...voidsOf(run, day),
  };
}

/** Those that came on the day, or, if it is the first one, before it. */
function voidsOf(
  { result: { unmatched, fit }, first }: Run,
  day: string,
): Pick<SavedDay, 'voids' | 'voidsLeftOut'> {
  const { from, to } = fit.zone.boundsOf(day);
  const found = unmatched.filter(({ at }) => (day === first || at >= from) && at < to);
  if (found.length === 0) return {};
  const voids = found.slice(-mostVoids).map(({ round, player, hash, at }): SavedVoid => {
    return { round, player, hash, at: new Date(at).toISOString() };
  });
  const kept: Pick<SavedDay, 'voids' | 'voidsLeftOut'> = { voids };
  return leavingOutVoids(kept, found.length - voids.length);
}

function leavingOutVoids<T extends Pick<SavedDay, 'voidsLeftOut'>>(kept: T, more: number): T {
  return more === 0 ? kept : { ...kept, voidsLeftOut: (kept.voidsLeftOut ?? 0) + more };
}

function wordOf(
  { result, loose }: Run,
  day: string,
  own: readonly Difference[],
): Pick<SavedDay, 'word' | 'reason'> {
  const { faulty, left } = result;
  const unread = faulty > 0 ? ['rows of the export cannot be read'] : [];
  if (own.some(({ isTolerated }) => !isTolerated)) {
    return { word: 'differs', reason: unread[0] ?? null };
  }
  const missing = result.incomplete.find((one) => one.day === day);
  if (missing !== undefined) return { word: 'incomplete', reason: missing.reason };
  if (!result.days.includes(day)) return { word: 'unknown', reason: 'it was not compared' };
  const open = [
    ...(loose.some(({ isTolerated }) => !isTolerated) ? ['rounds that name no day differ'] : []),
    ...unread,
    ...(left > 0 ? ['more rounds differ than are listed'] : []),
  ];
  return open.length === 0
    ? { word: 'equal', reason: null }
    : { word: 'unknown', reason: open.join(', ') };
}

/** A difference counts by its rounds if it is known which they are, otherwise once. */
function kindsOf(differences: readonly Difference[]): Partial<Record<FoundKind, number>> {
  const kinds: Partial<Record<FoundKind, number>> = {};
  for (const { rounds, isTolerated } of differences) {
    if (isTolerated) continue;
    const named = rounds.flatMap(({ kind }) => foundKinds.find((one) => one === kind) ?? []);
    for (const kind of named.length === 0 ? (['sums differ'] as const) : named) count(kinds, kind);
  }
  return kinds;
}

function count(kinds: Partial<Record<FoundKind, number>>, kind: FoundKind, more = 1): void {
  if (more > 0) kinds[kind] = (kinds[kind] ?? 0) + more;
}

function roundOf(
  { round, player, kind, reason, ours, theirs }: NamedRound,
  { currency }: Difference,
  decimals: number,
): SavedRound {
  const side = (one: RoundSide | null): SavedSide | null =>
    one && {
      currency: one.currency,
      bet: formatAmount(one.bet, decimals),
      win: formatAmount(one.win, decimals),
      state: one.state,
    };
  return { round, player, kind, reason, currency, ours: side(ours), theirs: side(theirs) };
}

/** Leaves out games, then rounds, then voids without a debit, then currencies, until a store takes the rest. */
function cutToFit(day: SavedDay): SavedDay {
  let kept = day;
  while (Buffer.byteLength(JSON.stringify(kept)) > longestReconciliation) {
    const { rounds, cells, voids = [] } = kept;
    const withGames = cells.findLastIndex(({ byGame }) => byGame !== undefined);
    if (withGames >= 0) {
      kept = { ...kept, cells: cells.map((cell, at) => (at === withGames ? noGames(cell) : cell)) };
    } else if (rounds.length > 0) {
      kept = { ...kept, rounds: rounds.slice(0, -1), leftOut: kept.leftOut + 1 };
    } else if (voids.length > 0) {
      kept = leavingOutVoids({ ...kept, voids: voids.slice(1) }, 1);
    } else if (cells.length > 0) {
      const currenciesLeftOut = kept.currenciesLeftOut + 1;
      kept = { ...kept, cells: cells.slice(0, -1), currenciesLeftOut };
    } else throw new Error('a day without rounds and currencies does not fit');
  }
  return kept;
}
