import type { Clock, Logger, Random } from '../../platform';
import type { OpenTelemetryTracer } from '../../platform/tracing';
import type { OptionNames } from '../../platform/validation';
import type { AttemptEvent, FetchPort } from './ports';

/** The options that every client has. */
export interface ClientOptions {
  /**
   * Address of the service, such as `https://rgs.example/operator`; the paths of the calls are appended.
   * `http://` is refused except for loopback hosts: the protocol is HTTPS only.
   */
  readonly baseUrl: string;
  /** Allows `http://` for any host; false unless set. */
  readonly allowHttp?: boolean;
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
  /**
   * A tracer of OpenTelemetry: each attempt is a span, which the service gets as the header `traceparent`;
   * neither unless set.
   */
  readonly tracer?: OpenTelemetryTracer;
  readonly clock?: Clock;
  /** Source of ids and of the jitter of pauses; the machine's own unless set. */
  readonly random?: Random;
  /** Kept connections of `node:http` and `node:https` unless set. */
  readonly fetch?: FetchPort;
}

/** The names of {@link ClientOptions}. */
export const clientOptionNames: OptionNames<ClientOptions> = {
  baseUrl: true,
  allowHttp: true,
  secret: true,
  attemptTimeoutMs: true,
  timeoutMs: true,
  attempts: true,
  maxReplyBytes: true,
  onAttempt: true,
  logger: true,
  tracer: true,
  clock: true,
  random: true,
  fetch: true,
};

/** Those that say where and how a client calls. */
export type ConnectionOptions = Pick<ClientOptions, 'baseUrl' | 'secret'> & {
  readonly [name in Exclude<keyof ClientOptions, 'onAttempt' | 'logger' | 'tracer'>]?:
    | ClientOptions[name]
    | undefined;
};
