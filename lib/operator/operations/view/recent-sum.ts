import { type RecentCalls, recentMinutes } from '../../minutes/call-watch';
import type { MinuteCounts } from '../../minutes/counts';

const minuteMs = 60_000;

/** The calls of the last minutes: of this process, and by their rows of the others. */
export class RecentSum {
  private readonly sum = { processed: 0, unknown: 0, shed: 0 };
  private first: number;
  private last: number;

  /** @param now Milliseconds since 1970. */
  constructor(
    private readonly own: RecentCalls | null,
    private readonly minute: number,
    now: number,
  ) {
    this.first = own === null ? now : Date.parse(own.watchedSince);
    this.last = Date.parse(own?.lastProcessed ?? '') || 0;
  }

  add({ minute, outcomes }: MinuteCounts): void {
    const [done = 0, declined = 0, unknown = 0, shed = 0] = outcomes;
    this.first = Math.min(this.first, minute * minuteMs);
    if (done + declined > 0) this.last = Math.max(this.last, minute * minuteMs);
    if (minute < this.minute - recentMinutes) return;
    this.sum.processed += done + declined;
    this.sum.unknown += unknown;
    this.sum.shed += shed;
  }

  calls(): RecentCalls {
    const { processed = 0, unknown = 0, shed = 0 } = this.own ?? {};
    return {
      watchedSince: new Date(this.first).toISOString(),
      lastProcessed: this.last === 0 ? null : new Date(this.last).toISOString(),
      processed: processed + this.sum.processed,
      unknown: unknown + this.sum.unknown,
      shed: shed + this.sum.shed,
    };
  }
}
