/** Where the time comes from. */
export interface Clock {
  /**
   * The wall clock, in milliseconds since 1970. It can be set back or forward at any moment: for timestamps, the
   * times of records and their retention alone.
   */
  now(): number;
  /**
   * Milliseconds since some moment of this process, in whole numbers. It never goes back and does not follow the wall
   * clock: for deadlines, pauses, durations and ages.
   */
  monotonicMs(): number;
  /** Resolves after so many milliseconds; earlier, without an error, when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Does the work once, after so many milliseconds, unless what is returned is called before. */
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
