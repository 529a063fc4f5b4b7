import { type Attribution, countedAt } from '../counting/cells';
import type { SpooledLog } from '../rounds/log';
import type { PlayedRound } from '../rounds/round';
import { roundsOf } from '../rounds/parts';
import { parts } from '../rounds/spool';
import type { UnmatchedVoids } from '../rounds/unmatched-voids';
import { quarterOf, type ZoneDays } from '../../../platform/time/zone-days';
import type { RowText, SpooledExport } from './export-rows';
import { judge } from './judge';

/** A round of either side, or of both. */
export interface Pair {
  readonly ours: PlayedRound | null;
  readonly theirs: RowText | null;
}

/**
 * Every round of both sides, a part in memory at a time.
 * @param voids Gets the voids without a debit.
 */
export function* eachPair(
  log: SpooledLog,
  rows: SpooledExport,
  voids?: UnmatchedVoids,
): IterableIterator<Pair> {
  for (let part = 0; part < parts; part++) {
    const theirs = new Map<string, RowText[]>();
    for (const row of rows.spool.read(part)) {
      const rowsOfId = theirs.get(row[0]);
      if (rowsOfId === undefined) theirs.set(row[0], [row]);
      else rowsOfId.push(row);
    }
    for (const ours of roundsOf(log.spool.read(part), voids, true)) {
      const of = theirs.get(ours.round);
      const at = of?.findIndex((row) => row[1] === null || row[1] === ours.player) ?? -1;
      if (of === undefined || at < 0) yield { ours, theirs: null };
      else yield { ours, theirs: of.splice(at, 1)[0] ?? null };
    }
    for (const left of theirs.values()) for (const row of left) yield { ours: null, theirs: row };
  }
}

/** Rounds that are the same on both sides, counted by the quarters of their times: nothing else of them matters. */
export class SameRounds {
  readonly #counts = { start: new Map<number, number>(), end: new Map<number, number>() };

  /** @param days When the first and the last day begin and end, in any zone: what is of no day of ours need not be named. */
  constructor(private readonly days: { readonly from: number; readonly to: number }) {}

  /** Takes a pair of which nothing is to be named, unless it counts on a day outside the period. */
  takes({ ours, theirs }: Pair): boolean {
    if (theirs !== null && theirs[9] !== null) return true;
    if (ours === null) return false;
    const { startedAt, endedAt } = ours;
    if (theirs === null) return !this.#isOfDays(startedAt) && !this.#isOfDays(endedAt);
    if (startedAt === null || endedAt === null) return false;
    if (judge(ours, theirs, false).kind !== null) return false;
    for (const by of ['start', 'end'] as const) {
      const quarter = quarterOf(countedAt(ours, by) ?? 0);
      this.#counts[by].set(quarter, (this.#counts[by].get(quarter) ?? 0) + 1);
    }
    return true;
  }

  /** How many count in each quarter. */
  counts(by: Attribution): ReadonlyMap<number, number> {
    return this.#counts[by];
  }

  /** Whether all count on days of the period. */
  areOf(period: ReadonlySet<string>, by: Attribution, zone: ZoneDays): boolean {
    const quarters = [...this.#counts[by].keys()];
    return quarters.every((quarter) => period.has(zone.dayOfQuarter(quarter)));
  }

  #isOfDays(at: number | null): boolean {
    return at !== null && at >= this.days.from && at < this.days.to;
  }
}
