/** The source of time. */
export interface Clock {
  /**
   * The wall clock, in milliseconds since 1970. It can be set back or forward at any moment: use it only
   * for timestamps, the times of records and their retention.
   */
  now(): number;
  /**
   * Milliseconds since some moment of this process, in whole numbers. It never goes back and does not
   * follow the wall clock: use it for deadlines, pauses, durations and ages.
   */
  monotonicMs(): number;
  /** Resolves after this many milliseconds; earlier, without an error, if the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Does the work once, after this many milliseconds. Call the returned function to cancel it. */
  after(ms: number, work: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonicMs: () => Math.trunc(performance.now()),
  pause: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = systemClock.after(ms, done);
      signal?.addEventListener('abort', done);
    }),
  after: (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
});
