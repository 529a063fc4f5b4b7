import { backOffMs } from '../../platform/back-off';
import { longestTimerMs } from '../../platform/clock';
import { TimeUpError, unlessAborted, withDeadline } from '../../platform/within';
import {
  AbortedError,
  type FailedCall,
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
import { UniqueTime } from './unique-time';

/** First and longest pause between attempts; each with jitter. */
const pauses = { firstMs: 200, longestMs: 5000 };

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
    const attempts = (until: AbortSignal): Promise<T> =>
      this.attempts(outgoing, read, until, endsAt);
    return withDeadline(clock, timeoutMs, attempts, options.signal);
  }

  private async attempts<T>(
    outgoing: Outgoing,
    read: ReplyReader<T>,
    until: AbortSignal,
    endsAt: number,
  ): Promise<T> {
    const { clock, random } = this.#settings;
    const { operation } = outgoing;
    for (let attempt = 1; ; attempt++) {
      const startedAt = clock.monotonicMs();
      const attempted = { operation, attempt };
      try {
        const { status, reply } = await this.attempt(outgoing, read, until, attempt);
        const durationMs = clock.monotonicMs() - startedAt;
        this.tell({ ...attempted, outcome: 'answered', status, durationMs, willRetry: false });
        return reply;
      } catch (error) {
        // A bug in this code must not look like a network failure.
        if (!(error instanceof RgsClientError)) throw error;
        const retryInMs = Math.round(backOffMs(pauses, attempt, random));
        const now = clock.monotonicMs();
        const willRetry =
          isWorthRepeating(outgoing, error) &&
          attempt < this.#settings.attempts &&
          !until.aborted &&
          now + retryInMs < endsAt;
        const failed = { ...attempted, ...describe(error), durationMs: now - startedAt } as const;
        this.tell(willRetry ? { ...failed, willRetry, retryInMs } : { ...failed, willRetry });
        if (!willRetry) throw error;
        await clock.pause(retryInMs, until);
        throwIfOver(until, { operation, attempts: attempt });
      }
    }
  }

  private async attempt<T>(
    outgoing: Outgoing,
    read: ReplyReader<T>,
    until: AbortSignal,
    attempt: number,
  ): Promise<Answer<T>> {
    const settings = this.#settings;
    const call = { operation: outgoing.operation, attempts: attempt };
    throwIfOver(until, call);
    const send = (signal: AbortSignal): Promise<Answer<T>> => {
      const nowMs = this.#time.next();
      return unlessAborted(signal, exchange(settings, outgoing, read, nowMs, attempt, signal));
    };
    try {
      return await withDeadline(settings.clock, settings.attemptTimeoutMs, send, until);
    } catch (error) {
      // The reason of the abort counts, however fetch reports it.
      throwIfOver(until, call);
      throw error instanceof TimeUpError ? new TimeoutError(call, 'attempt') : error;
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

/** @throws TimeoutError or AbortedError once the call's time limit has passed or its caller has aborted it. */
function throwIfOver(until: AbortSignal, call: FailedCall): void {
  if (!until.aborted) return;
  throw until.reason instanceof TimeUpError
    ? new TimeoutError(call, 'call')
    : new AbortedError(call);
}

function describe(failure: RgsClientError): Pick<AttemptEvent, 'outcome' | 'code' | 'status'> {
  const { code } = failure;
  const status = 'status' in failure ? failure.status : undefined;
  return typeof status === 'number'
    ? { outcome: 'failed', code, status }
    : { outcome: 'failed', code };
}
