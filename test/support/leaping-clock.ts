import { type Clock, systemClock } from '../../lib/platform';

interface Timer {
  readonly dueAt: number;
  readonly fire: () => void;
}

/**
 * The machine's clock, which leaps forward when a test says so. For tests of time limits with real servers:
 * the limits are longer than any machine takes, and pass at once when what they wait for cannot come any
 * more. So no limit passes because the machine is slow. The wall clock does not leap.
 */
export class LeapingClock implements Clock {
  #leapedMs = 0;
  readonly #timers = new Set<Timer>();

  readonly now = (): number => systemClock.now();

  readonly monotonicMs = (): number => systemClock.monotonicMs() + this.#leapedMs;

  readonly after: Clock['after'] = (ms, work, kind) => {
    const fire = (): void => {
      cancel();
      work();
    };
    const timer: Timer = { dueAt: this.monotonicMs() + ms, fire };
    const cancelReal = systemClock.after(ms, fire, kind);
    const cancel = (): void => {
      cancelReal();
      this.#timers.delete(timer);
    };
    this.#timers.add(timer);
    return cancel;
  };

  readonly pause: Clock['pause'] = (ms, signal, kind) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.after(ms, done, kind);
      signal?.addEventListener('abort', done);
    });

  /** Sets the time forward: the timers that are due by then fire, in their order. */
  leap(ms: number): void {
    this.#leapedMs += ms;
    const due = [...this.#timers].filter(({ dueAt }) => dueAt <= this.monotonicMs());
    for (const timer of due.toSorted((one, other) => one.dueAt - other.dueAt)) {
      if (this.#timers.has(timer)) timer.fire();
    }
  }
}
