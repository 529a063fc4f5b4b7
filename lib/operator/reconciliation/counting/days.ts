import { ReconciliationFailure } from '../rounds/failure';
import { type IncompleteDay, incompleteReason, type SpooledLog } from '../rounds/log';
import type { PlayedRound } from '../rounds/round';
import { daysBetween, quarterOf, type ZoneDays } from '../rounds/zone-days';

/** Most days of a comparison. */
const mostDays = 400;

/** The days of a period. @throws ReconciliationFailure if there are too many, or none. */
export function periodDays(from: string, to: string): string[] {
  const days = from <= to ? daysBetween(from, to) : [];
  if (days.length > 0 && days.length <= mostDays) return days;
  throw new ReconciliationFailure(`the period has ${days.length} days: name 1 to ${mostDays}`);
}

/** Which days the events cover, in each zone. */
export class Coverage {
  /** The first round of each quarter in which one begins in its middle, or ends. */
  readonly #broken = new Map<number, string>();

  constructor(
    private readonly log: SpooledLog,
    readonly days: readonly string[],
  ) {}

  /** Notes a round whose beginning is missing: the days in which it was seen are not complete. */
  note({ startedAt, firstAt, endedAt, round }: PlayedRound): void {
    if (startedAt !== null) return;
    for (const at of [firstAt, endedAt ?? firstAt]) {
      const quarter = quarterOf(at);
      if (!this.#broken.has(quarter)) this.#broken.set(quarter, round);
    }
  }

  /** The days that cannot be compared in a zone. */
  incomplete(zone: ZoneDays): IncompleteDay[] {
    const broken = new Map<string, string>();
    for (const [quarter, round] of this.#broken) broken.set(zone.dayOfQuarter(quarter), round);
    return this.days.flatMap((day) => {
      const round = broken.get(day);
      const missing = round === undefined ? null : `the beginning of round ${round} is missing`;
      const reason = incompleteReason(this.log, zone, day) ?? missing;
      return reason === null ? [] : [{ day, reason }];
    });
  }

  /** The days that can be compared in each of these zones. */
  complete(zones: readonly ZoneDays[]): Set<string> {
    const missing = new Set(zones.flatMap((zone) => this.incomplete(zone).map(({ day }) => day)));
    return new Set(this.days.filter((day) => !missing.has(day)));
  }
}
