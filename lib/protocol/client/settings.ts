import type { Clock, Random } from '../../platform';
import type { Spans } from '../../platform/tracing';
import type { Secret } from '../signature';
import type { AttemptEvent, FetchPort } from './ports';
import type { ErrorReading } from './error-object';

/** Where the calls go, who signs them, and their limits. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** X-H-AUTH-ID. */
  readonly authId: string;
  readonly secret: Secret;
  /** Time limit of one attempt, up to the last byte of its reply, in milliseconds. */
  readonly attemptTimeoutMs: number;
  /** Time limit of a call with all attempts and pauses, in milliseconds. */
  readonly timeoutMs: number;
  /** Most attempts at a call that is safe to retry. */
  readonly attempts: number;
  /** Largest reply, in bytes. */
  readonly maxReplyBytes: number;
  /** Of real time: it makes timestamps and time limits. */
  readonly clock: Clock;
  /** Source of the jitter of pauses. */
  readonly random: Random;
  readonly fetch: FetchPort;
}

/** What a signed HTTP client is made of. */
export interface ClientSettings extends Connection {
  /** What X-H-AUTH-ID is called in errors: `operator ID`. */
  readonly idName: string;
  readonly errors: ErrorReading;
  /** Makes the X-Request-Id of each attempt (E2.5); null for an API without one. */
  readonly newRequestId: (() => string) | null;
  /** Opens a span for each attempt; none unless set. */
  readonly spans?: Spans | null;
  /** Hears of every attempt; must not throw. */
  readonly reportAttempt: (attempt: AttemptEvent) => void;
}
