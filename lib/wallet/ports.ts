import type { Call, Debit } from '../protocol';
import type { RoundKey } from './wallet-store';

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

/** The part of pino's logger that the kit writes to. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** pino's: where it says no to `info`, what would be logged is not even put together. */
  isLevelEnabled?(level: string): boolean;
}

/** A logger that says nothing. */
export const silentLogger: Logger = Object.freeze({
  info: () => {},
  warn: () => {},
  error: () => {},
  isLevelEnabled: () => false,
});

/**
 * Whether a debit's discount is eligible; asked once for each discounted debit before it is
 * decided. Throwing means not known, and the call is answered by D7.
 */
export type DiscountCheck = (request: {
  readonly round: RoundKey;
  readonly call: Call;
  readonly debit: Debit;
}) => boolean | Promise<boolean>;
