import { isSignable } from '../../protocol/identifiers';
import { Secret } from '../../protocol/signature';
import { checkOptionNames, type OptionNames, schemasOf } from '../../platform/validation';
import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../platform';
import { type AttemptEvent, type Events, eventsTo } from '../events';
import { attemptHook } from './attempt-hook';
import type { FetchPort } from './ports';

/** Options of {@link createRgsClient}. */
export interface RgsClientOptions {
  /**
   * Address of the service, such as `https://rgs.example/operator`; the paths of the calls are appended.
   * `http://` is refused except for loopback hosts: the protocol is HTTPS only.
   */
  readonly baseUrl: string;
  /** Allows `http://` for any host; false unless set. */
  readonly allowHttp?: boolean;
  /** X-H-AUTH-ID. */
  readonly operatorId: string;
  /** The shared secret: at least 16 bytes, without surrounding white space. Never sent, never printed. */
  readonly secret: string;
  /** Time limit of one attempt, up to the last byte of its reply, in milliseconds; 10,000 unless set. */
  readonly attemptTimeoutMs?: number;
  /** Time limit of a call with all attempts and pauses, in milliseconds; 30,000 unless set. */
  readonly timeoutMs?: number;
  /** Most attempts at a call that is safe to retry; 3 unless set. */
  readonly attempts?: number;
  /** Largest reply, in bytes; 10 MiB unless set. */
  readonly maxReplyBytes?: number;
  /** Called after every attempt; what it throws is logged. */
  readonly onAttempt?: (event: AttemptEvent) => void;
  /** A pino logger, or anything with its `info`, `warn` and `error`; silent unless set. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Source of the jitter of pauses; the machine's own unless set. */
  readonly random?: Random;
  /** The platform's `fetch` unless set. */
  readonly fetch?: FetchPort;
}

/** The options, checked, complete and frozen; the secret wrapped. */
export interface RgsClientSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly operatorId: string;
  readonly secret: Secret;
  readonly attemptTimeoutMs: number;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly maxReplyBytes: number;
  readonly events: Events;
  readonly clock: Clock;
  readonly random: Random;
  readonly fetch: FetchPort;
}

const optionNames: OptionNames<RgsClientOptions> = {
  baseUrl: true,
  allowHttp: true,
  operatorId: true,
  secret: true,
  attemptTimeoutMs: true,
  timeoutMs: true,
  attempts: true,
  maxReplyBytes: true,
  onAttempt: true,
  logger: true,
  clock: true,
  random: true,
  fetch: true,
};

const schemas = schemasOf('options', ['client']);

/**
 * Checks the options and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readClientOptions(options: RgsClientOptions): RgsClientSettings {
  checkOptionNames('createRgsClient', options, optionNames);
  const { secret, onAttempt, logger, clock, random, fetch, ...data } = options;
  const problem = schemas.findFault('client', data);
  if (problem !== null) throw fault(problem);
  if (logger !== undefined) checkMethods('logger', logger, ['info', 'warn', 'error']);
  if (clock !== undefined) checkMethods('clock', clock, ['now', 'monotonicMs', 'pause', 'after']);
  if (random !== undefined) checkMethods('random', random, ['next', 'bytes']);
  for (const [name, port] of Object.entries({ onAttempt, fetch })) {
    if (port !== undefined && typeof port !== 'function') throw fault(`${name} must be a function`);
  }
  const { operatorId } = data;
  if (!isSignable(operatorId) || operatorId.trim() !== operatorId || !operatorId.isWellFormed()) {
    throw fault('operatorId must not contain #, control characters or surrounding spaces');
  }
  return Object.freeze({
    baseUrl: readBaseUrl(data.baseUrl, data.allowHttp ?? false),
    operatorId,
    secret: readSecret(secret),
    attemptTimeoutMs: data.attemptTimeoutMs ?? 10_000,
    timeoutMs: data.timeoutMs ?? 30_000,
    attempts: data.attempts ?? 3,
    maxReplyBytes: data.maxReplyBytes ?? 10 * 1024 * 1024,
    events: eventsOf(logger, onAttempt),
    clock: clock ?? systemClock,
    random: random ?? systemRandom,
    // Looked up at each call, so that later instrumentation of the platform's fetch applies.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  });
}

function eventsOf(logger: Logger | undefined, onAttempt: RgsClientOptions['onAttempt']): Events {
  const log = eventsTo(logger);
  return onAttempt === undefined ? log : log.with(attemptHook(onAttempt, log));
}

function readBaseUrl(text: string, allowHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol)) {
    throw fault('baseUrl must be an https:// address');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw fault('baseUrl must not hold a user, a password, a query or a fragment');
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw fault('baseUrl must be https://; allowHttp lets it be http:// on other hosts than this');
  }
  return url.href.replace(/\/+$/, '');
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

function readSecret(text: string): Secret {
  try {
    return new Secret(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'is not valid';
    throw new TypeError(`createRgsClient: secret: ${problem}`, { cause: error });
  }
}

function checkMethods(name: string, value: unknown, methods: readonly string[]): void {
  const object = Object(value) as Record<string, unknown>;
  for (const method of methods) {
    if (typeof object[method] !== 'function') throw fault(`${name} must have a function ${method}`);
  }
}

function fault(problem: string): TypeError {
  return new TypeError(`createRgsClient: ${problem}`);
}
