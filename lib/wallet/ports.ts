import type { Call, Debit } from '../protocol';
import type { RoundKey } from './wallet-store';

/** Where the time comes from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds; earlier, without an error, when the signal aborts. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  pause: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      signal?.addEventListener('abort', done);
    }),
});

/** The part of pino's logger that the kit writes to. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A logger that says nothing. */
export const silentLogger: Logger = Object.freeze({
  info: () => {},
  warn: () => {},
  error: () => {},
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
