import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../lib/platform';

interface Timer {
  readonly dueAt: number;
  readonly work: () => void;
}

/**
 * A clock under the control of a test: it stands still while anything is at work, and leaps to the next timer when
 * everything waits. So a deadline of seconds passes at once, and never because the machine is busy. For work that
 * waits for nothing but this clock: input and output takes turns of the event loop that it does not see.
 */
export class VirtualClock implements Clock {
  /** Milliseconds since the start: what timers go by. */
  private elapsed = 0;
  /** How far the wall clock was set, forward or back. */
  private wallShift = 0;
  private readonly timers = new Set<Timer>();

  /** @param startedAt What the wall clock shows at the start, in milliseconds since 1970. */
  constructor(private readonly startedAt = Date.now()) {}

  // Bound, so that a test can change one of them: `{ ...clock, now: () => 0 }`.
  readonly now = (): number => this.startedAt + this.wallShift + this.elapsed;

  readonly monotonicMs = (): number => Math.trunc(this.elapsed);

  readonly pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.after(ms, done);
      signal?.addEventListener('abort', done);
    });

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer: Timer = { dueAt: this.elapsed + Math.max(1, ms), work };
    this.timers.add(timer);
    return () => void this.timers.delete(timer);
  };

  /** Timers that wait. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Sets the wall clock forward, or back, by so many milliseconds; timers and the monotonic clock do not notice. */
  setWallClock(byMs: number): void {
    this.wallShift += byMs;
  }

  /** Lets time pass until the work is done. @throws Error where nothing is left that it waits for. */
  async run<T>(work: Promise<T>): Promise<T> {
    const progress = { isDone: false };
    const watched = work.finally(() => {
      progress.isDone = true;
    });
    // It is awaited in the end, and must not count as unhandled before.
    watched.catch(() => {});
    for (;;) {
      await nextTurn();
      if (progress.isDone) return watched;
      if (!this.leap()) throw new Error('it waits for ever');
    }
  }

  /** Lets so much time pass, in milliseconds, and all that falls due in it happen. */
  async pass(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    do await nextTurn();
    while (this.leap(end));
    this.elapsed = end;
  }

  /** To the next timer that is due by then; whether there was one. */
  leap(end = Number.POSITIVE_INFINITY): boolean {
    let next: Timer | null = null;
    for (const timer of this.timers) {
      if (next === null || timer.dueAt < next.dueAt) next = timer;
    }
    if (next === null || next.dueAt > end) return false;
    this.timers.delete(next);
    this.elapsed = Math.max(this.elapsed, next.dueAt);
    next.work();
    return true;
  }
}
