import type { Clock } from '../../platform';
import {
  bucketCount,
  bucketOf,
  type CallOutcomeName,
  callOutcomes,
  type MinuteCounts,
} from './counts';

const minuteMs = 60_000;
/** Minutes that are kept: a day. */
const ringMinutes = 1440;
const width = callOutcomes.length + bucketCount;

/** The counts of the last day by minute: in one array, so that a call costs two additions and no garbage. */
export class MinuteRing {
  /** When the last call with a known outcome was counted, in milliseconds since 1970; null for none. */
  lastKnownAt: number | null = null;
  private readonly counts = new Uint32Array(ringMinutes * width);
  /** The minute of each place. */
  private readonly minutes = new Float64Array(ringMinutes).fill(-1);

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** The minute that runs, since 1970. */
  get minute(): number {
    return Math.floor(this.clock.now() / minuteMs);
  }

  /**
   * Counts a call.
   * @param outcome Its place in {@link callOutcomes}.
   * @param ms How long the answer took; null for a call that has no time.
   */
  add(outcome: number, ms: number | null, calls = 1): void {
    const now = this.clock.now();
    const minute = Math.floor(now / minuteMs);
    const place = minute % ringMinutes;
    if (this.minutes[place] !== minute) this.begin(place, minute);
    const start = place * width;
    (this.counts[start + outcome] as number) += calls;
    if (ms !== null) (this.counts[start + callOutcomes.length + bucketOf(ms)] as number) += calls;
    if (outcome < 2) this.lastKnownAt = now;
  }

  /** The minutes from one to before another in which something was counted, in their order. */
  read(from: number, to: number): MinuteCounts[] {
    const all: MinuteCounts[] = [];
    for (let minute = Math.max(from, to - ringMinutes); minute < to; minute++) {
      const place = minute % ringMinutes;
      if (this.minutes[place] !== minute) continue;
      const found = [...this.counts.subarray(place * width, (place + 1) * width)];
      const times = found.splice(callOutcomes.length);
      all.push({ minute, outcomes: found, times });
    }
    return all;
  }

  /** The sum of an outcome over minutes. */
  sum(from: number, to: number, ...names: readonly CallOutcomeName[]): number {
    const places = names.map((name) => callOutcomes.indexOf(name));
    return this.read(from, to).reduce(
      (sum, { outcomes }) => places.reduce((more, place) => more + (outcomes[place] ?? 0), sum),
      0,
    );
  }

  private begin(place: number, minute: number): void {
    this.minutes[place] = minute;
    this.counts.fill(0, place * width, (place + 1) * width);
  }
}
