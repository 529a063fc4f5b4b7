import { ReconciliationFailure } from '../rounds/failure';
import { type IncompleteDay, incompleteReason, type SpooledLog } from '../rounds/log';
import type { PlayedRound } from '../rounds/round';
import { daysBetween, quarterOf, type ZoneDays } from '../../../platform/time/zone-days';

/** Most days of a comparison. */
const mostDays = 400;

/** The days of a period. @throws ReconciliationFailure if there are too many, or none. */
export function periodDays(from: string, to: string): string[] {
  const days = from <= to ? daysBetween(from, to) : [];
  if (days.length > 0 && days.length <= mostDays) return days;
  throw new ReconciliationFailure(`the period has ${days.length} days: name 1 to ${mostDays}`);
}

/** The days to compare, in each zone that is tried. */
export interface Days {
  readonly from: string;
  readonly to: string;
  readonly zones: readonly ZoneDays[];
}

/** Most days that a line names besides the first. */
const mostDaysNamed = 9;

/** @throws ReconciliationFailure that names the days that the events do not cover in any of the zones. */
export function requireDays(
  log: Pick<SpooledLog, 'firstAt' | 'lastAt'>,
  { from, to, zones }: Days,
): void {
  const missing = periodDays(from, to).flatMap((day) => {
    const reasons = zones.map((zone) => incompleteReason(log, zone, day));
    const [reason] = reasons;
    return reasons.every((one) => one !== null) && typeof reason === 'string'
      ? [{ day, reason }]
      : [];
  });
  const [first, ...others] = missing;
  if (first === undefined) return;
  const named = others.slice(0, mostDaysNamed).map(({ day }) => day);
  const left = others.length - named.length;
  const rest = named.length === 0 ? '' : `; nor is ${named.join(', ')}`;
  const more = left === 0 ? '' : ` and ${left} more`;
  throw new ReconciliationFailure(`${first.day} is not complete: ${first.reason}${rest}${more}`);
}

/** The quarters that are not whole because the beginning of this round is missing: those in which it was seen. */
export function brokenQuarters({ startedAt, firstAt, endedAt }: PlayedRound): number[] {
  return startedAt === null ? [firstAt, endedAt ?? firstAt].map(quarterOf) : [];
}

/** Which days the events cover, in each zone. */
export class Coverage {
  /** What the first round that is not whole lacks, of each quarter in which one was seen. */
  readonly #broken = new Map<number, string>();

  constructor(
    private readonly log: Pick<SpooledLog, 'firstAt' | 'lastAt'>,
    readonly days: readonly string[],
  ) {}

  /** Notes a round whose beginning is missing: the days in which it was seen are not complete. */
  note(round: PlayedRound): void {
    for (const quarter of brokenQuarters(round)) {
      this.noteGap(quarter, `the beginning of round ${round.round} is missing`);
    }
  }

  /** Notes that a quarter is not whole. */
  noteGap(quarter: number, reason: string): void {
    if (!this.#broken.has(quarter)) this.#broken.set(quarter, reason);
  }

  /** The days that cannot be compared in a zone. */
  incomplete(zone: ZoneDays): IncompleteDay[] {
    const broken = new Map<string, string>();
    for (const [quarter, reason] of this.#broken) broken.set(zone.dayOfQuarter(quarter), reason);
    return this.days.flatMap((day) => {
      const reason = incompleteReason(this.log, zone, day) ?? broken.get(day) ?? null;
      return reason === null ? [] : [{ day, reason }];
    });
  }

  /** The days that can be compared in each of these zones. */
  complete(zones: readonly ZoneDays[]): Set<string> {
    const missing = new Set(zones.flatMap((zone) => this.incomplete(zone).map(({ day }) => day)));
    return new Set(this.days.filter((day) => !missing.has(day)));
  }
}
