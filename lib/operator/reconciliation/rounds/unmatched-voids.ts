import type { ZoneDays } from '../../../platform/time/zone-days';

/** How long a debit may come after its void, in milliseconds (D10.4). */
export const debitWaitMs = 86_400_000;

/** A void of a hash that the wallet did not know, and that no debit followed in time (D10.4). */
export interface UnmatchedVoid {
  readonly round: string;
  readonly player: string;
  readonly hash: string;
  readonly at: number;
}

/** Most that are kept. */
const mostKept = 1_000;

/**
 * Keeps the last voids without a debit. The RGS may have booked a refund that the player has not had; more often the debit never
 * reached the wallet, and nothing is wrong.
 */
export class UnmatchedVoids {
  #kept: UnmatchedVoid[] = [];

  /** @param lastAt Time of the last event: of a void less than a day before it, the debit may still come. */
  constructor(private readonly lastAt: number | null) {}

  add(one: UnmatchedVoid): void {
    if (this.lastAt === null || one.at + debitWaitMs > this.lastAt) return;
    this.#kept.push(one);
    if (this.#kept.length >= 2 * mostKept) this.#kept = newest(this.#kept);
  }

  /** Those of the days, and of the day before, whose last ones could not be judged when it was compared; the oldest first. */
  of(zone: ZoneDays, days: readonly string[]): UnmatchedVoid[] {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return [];
    const from = zone.boundsOf(first).from - debitWaitMs;
    const { to } = zone.boundsOf(last);
    return newest(this.#kept.filter(({ at }) => at >= from && at < to)).toReversed();
  }
}

function newest(voids: readonly UnmatchedVoid[]): UnmatchedVoid[] {
  return voids.toSorted((one, other) => other.at - one.at).slice(0, mostKept);
}
