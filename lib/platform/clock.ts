import { type LoopTime, systemLoop } from './loop-time';

/** The source of time. */
export interface Clock {
  /**
   * The wall clock, in whole milliseconds since 1970. It can be set back or forward at any moment: use it only
   * for timestamps, the times of records and their retention.
   */
  now(): number;
  /**
   * Milliseconds since some moment of this process, in whole numbers. It never goes back and does not
   * follow the wall clock: use it for deadlines, pauses, durations and ages.
   */
  monotonicMs(): number;
  /** Resolves after this many milliseconds; earlier, without an error, if the signal aborts. */
  pause(ms: number, signal?: AbortSignal, kind?: TimerKind): Promise<void>;
  /** Does the work once, after this many milliseconds. Call the returned function to cancel it. */
  after(ms: number, work: () => void, kind?: TimerKind): () => void;
  /** Measures the turns of the event loop. Without it no call is shed because a turn is used up (P12). */
  readonly loop?: LoopTime;
}

/** A background timer lets the process end; any other keeps it alive until the timer fires or is cancelled. */
export type TimerKind = 'background';

/** A system timer with a longer delay would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonicMs: () => Math.trunc(performance.now()),
  pause: (ms: number, signal?: AbortSignal, kind?: TimerKind) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = systemClock.after(ms, done, kind);
      signal?.addEventListener('abort', done);
    }),
  after: (ms: number, work: () => void, kind?: TimerKind) => {
    const timer = setTimeout(work, Math.min(ms, longestTimerMs));
    if (kind === 'background') timer.unref();
    return () => clearTimeout(timer);
  },
  loop: systemLoop,
});
