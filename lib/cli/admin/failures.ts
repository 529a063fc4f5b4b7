import { createHash } from 'node:crypto';
import type { Clock } from '../../platform';

/** Failures without a pause: of one person from one address, and of one person from anywhere. */
const freeHere = 5;
const freeAnywhere = 50;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/**
 * Most people and addresses that are remembered; the oldest is forgotten first. As each try costs a tenth of a second,
 * names that nobody has push a person's count out no sooner than its pauses end.
 */
const maxKept = 10_000;

interface Failures {
  count: number;
  /** Until then further tries are refused, on `monotonicMs`. */
  until: number;
}

/**
 * Failed logins: after a few, each further one costs a pause, which doubles up to a minute. A try counts as
 * failed until it has succeeded, so that many at once count too.
 */
export class FailedLogins {
  private readonly kept = new Map<string, Failures>();

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {}

  /** Milliseconds until the next try of this person from this address; 0 if it may be now. */
  waitMs(id: string, address: string): number {
    const now = this.clock.monotonicMs();
    return Math.max(
      0,
      ...this.keysOf(id, address).map(([key]) => (this.kept.get(key)?.until ?? now) - now),
    );
  }

  /** Counts a try as failed. */
  begin(id: string, address: string): void {
    const now = this.clock.monotonicMs();
    for (const [key, free] of this.keysOf(id, address)) {
      const count = (this.kept.get(key)?.count ?? 0) + 1;
      const pauseMs =
        count < free ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(count - free, 10));
      this.kept.delete(key);
      this.kept.set(key, { count, until: now + pauseMs });
    }
    for (const key of this.kept.keys()) {
      if (this.kept.size <= maxKept) return;
      this.kept.delete(key);
    }
  }

  /** The try was no failure, and those before it are forgiven. */
  succeeded(id: string, address: string): void {
    for (const [key] of this.keysOf(id, address)) this.kept.delete(key);
  }

  private keysOf(id: string, address: string): readonly (readonly [string, number])[] {
    return [
      [digest([id, address]), freeHere],
      [digest([id]), freeAnywhere],
    ];
  }
}

/** Of one length: an id that nobody has is as long as its sender wants. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
