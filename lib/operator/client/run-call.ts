import { ExponentialBackoff, type IBackoff } from 'cockatiel';
import {
  AbortedError,
  InvalidRequestError,
  NetworkError,
  RgsClientError,
  ServiceError,
  TimeoutError,
} from './errors';
import { type Answer, exchange, type ReplyReader } from './exchange';
import type { RgsClientSettings } from './options';
import type { Outgoing } from './outgoing';
import type { AttemptEvent } from '../events';
import type { CallOptions } from './requests';
import { StoppedError, TimeLimit } from '../../platform/time-limit';
import { UniqueTime } from './unique-time';

/** First and longest pause between attempts, in milliseconds; each with jitter. */
const pauseMs = { initialDelay: 200, maxDelay: 5000 };

/** A timer with a longer delay would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Makes calls: attempts with a time limit, pauses between them, and an event for each. */
export class CallRunner {
  readonly #settings: RgsClientSettings;
  readonly #time: UniqueTime;

  constructor(settings: RgsClientSettings) {
    this.#settings = settings;
    this.#time = new UniqueTime(settings.clock);
  }

  /** @throws RgsClientError */
  async run<T>(outgoing: Outgoing, read: ReplyReader<T>, options: CallOptions = {}): Promise<T> {
    const { clock } = this.#settings;
    const timeoutMs = readTimeout(outgoing.operation, options, this.#settings.timeoutMs);
    const endsAt = clock.monotonicMs() + timeoutMs;
    const limit = new TimeLimit(clock, timeoutMs, 'call', options.signal);
    // The clock's timers let a process end; a call in flight must not.
    const keepAlive = setInterval(() => {}, longestTimerMs);
    try {
      return await this.attempts(outgoing, read, limit, endsAt);
    } finally {
      clearInterval(keepAlive);
      limit.end();
    }
  }

  private async attempts<T>(
    outgoing: Outgoing,
    read: ReplyReader<T>,
    limit: TimeLimit,
    endsAt: number,
  ): Promise<T> {
    const { clock } = this.#settings;
    let backoff: IBackoff<unknown> | null = null;
    for (let attempt = 1; ; attempt++) {
      const startedAt = clock.monotonicMs();
      const told = { operation: outgoing.operation, attempt };
      try {
        const { status, reply } = await this.attempt(outgoing, read, limit, attempt);
        const durationMs = clock.monotonicMs() - startedAt;
        this.tell({ ...told, outcome: 'answered', status, durationMs, willRetry: false });
        return reply;
      } catch (error) {
        const failure = asClientError(error, outgoing.operation, attempt);
        backoff = backoff === null ? new ExponentialBackoff(pauseMs).next() : backoff.next(null);
        const retryInMs = Math.round(backoff.duration);
        const now = clock.monotonicMs();
        const willRetry =
          isWorthRepeating(outgoing, failure) &&
          attempt < this.#settings.attempts &&
          !limit.signal.aborted &&
          now + retryInMs < endsAt;
        const failed = { ...told, ...describe(failure), durationMs: now - startedAt } as const;
        this.tell(willRetry ? { ...failed, willRetry, retryInMs } : { ...failed, willRetry });
        if (!willRetry) throw failure;
        await this.pause(retryInMs, limit, outgoing.operation, attempt);
      }
    }
  }

  private async attempt<T>(
    outgoing: Outgoing,
    read: ReplyReader<T>,
    limit: TimeLimit,
    attempt: number,
  ): Promise<Answer<T>> {
    const settings = this.#settings;
    const own = new TimeLimit(settings.clock, settings.attemptTimeoutMs, 'attempt', limit.signal);
    try {
      return await own.race((signal) =>
        exchange(settings, outgoing, read, this.#time.next(), attempt, signal),
      );
    } catch (error) {
      // The reason of the abort counts, however fetch reports it.
      throw own.signal.aborted ? own.signal.reason : error;
    } finally {
      own.end();
    }
  }

  private async pause(
    ms: number,
    limit: TimeLimit,
    operation: string,
    attempts: number,
  ): Promise<void> {
    try {
      await limit.race((signal) => this.#settings.clock.pause(ms, signal));
      limit.signal.throwIfAborted();
    } catch (error) {
      throw asClientError(error, operation, attempts);
    }
  }

  private tell(attempt: AttemptEvent): void {
    this.#settings.events.tell({ kind: 'rgsAttempt', attempt: Object.freeze(attempt) });
  }
}

function readTimeout(operation: string, options: CallOptions, unlessSet: number): number {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidRequestError(operation, 'the options', 'must be an object');
  }
  const { signal, timeoutMs = unlessSet } = options;
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > longestTimerMs) {
    const problem = `must be a whole number from 1 to ${longestTimerMs}`;
    throw new InvalidRequestError(operation, 'timeoutMs', problem);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new InvalidRequestError(operation, 'signal', 'must be an AbortSignal');
  }
  return timeoutMs;
}

/** Whether a retry can help and is safe (public facts: 5xx, time-out, network error). */
function isWorthRepeating(outgoing: Outgoing, failure: RgsClientError): boolean {
  if (!outgoing.isRepeatable) return false;
  if (failure instanceof ServiceError) return failure.status >= 500;
  if (failure instanceof TimeoutError) return failure.which === 'attempt';
  return failure instanceof NetworkError;
}

/** @throws an error that is not of the call: a bug in this code must not look like a network failure. */
function asClientError(error: unknown, operation: string, attempts: number): RgsClientError {
  if (error instanceof RgsClientError) return error;
  if (!(error instanceof StoppedError)) throw error;
  const call = { operation, attempts };
  return error.why === 'aborted' ? new AbortedError(call) : new TimeoutError(call, error.why);
}

function describe(failure: RgsClientError): Pick<AttemptEvent, 'outcome' | 'code' | 'status'> {
  const { code } = failure;
  const status = 'status' in failure ? failure.status : undefined;
  return typeof status === 'number'
    ? { outcome: 'failed', code, status }
    : { outcome: 'failed', code };
}
