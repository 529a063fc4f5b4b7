import { type Clock, type Random, systemClock, systemRandom } from '../../platform';
import type { Spans } from '../../platform/tracing';
import type { Secret } from '../signature';
import { type AttemptEvent, type FetchPort, ownFetch } from './ports';
import type { ErrorReading } from './error-object';
import { isSignable } from '../identifiers';
import { readSecret } from '../signature/secret';
import type { ConnectionOptions } from './options';
import { withoutTrailing } from '../../platform/trailing';

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

/** X-H-AUTH-ID, and the option that holds it. */
interface ClientId {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads the options that a schema has accepted, and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readConnection(
  maker: string,
  { name, value: authId }: ClientId,
  options: ConnectionOptions,
): Connection {
  if (!isSignable(authId) || authId.trim() !== authId || !authId.isWellFormed()) {
    throw new TypeError(
      `${maker}: ${name} must not contain #, control characters or surrounding spaces`,
    );
  }
  const { fetch, maxReplyBytes = 10 * 1024 * 1024 } = options;
  return {
    baseUrl: readBaseUrl(`${maker}: baseUrl`, options.baseUrl, options.allowHttp ?? false),
    authId,
    secret: readSecret(`${maker}: secret`, options.secret),
    attemptTimeoutMs: options.attemptTimeoutMs ?? 10_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    attempts: options.attempts ?? 3,
    maxReplyBytes,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    fetch: fetch ?? ownFetch(maxReplyBytes),
  };
}

/**
 * An address that paths can be appended to, without a trailing slash.
 * @param option Names it in errors, such as `createRgsClient: baseUrl`.
 * @throws TypeError that does not repeat it: it may hold a password.
 */
export function readBaseUrl(option: string, text: string, allowHttp: boolean): string {
  const fault = (problem: string): TypeError => new TypeError(`${option} must ${problem}`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    throw fault('be an https:// address');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw fault('not hold a user, a password, a query or a fragment');
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw fault('be https://; allowHttp lets it be http:// on other hosts than this');
  }
  return withoutTrailing(url.href, '/');
}

/** The URL parser writes every spelling of an IPv4 address in four parts. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
