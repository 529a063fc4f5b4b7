import { backOffMs } from '../../platform/back-off';
import { longestTimerMs } from '../../platform/clock';
import type { Span } from '../../platform/tracing';
import { TimeUpError, withTimeLimit } from '../../platform/within';
import {
  AbortedError,
  type FailedCall,
  InvalidRequestError,
  NetworkError,
  RgsClientError,
  ServiceError,
  TimeoutError,
} from './errors';
import type { AttemptEvent } from './ports';
import { exchange, type ReplyReader } from './exchange';
import type { Outgoing } from './outgoing';
import { type Attempt, type Received, send } from './send';
import type { ClientSettings } from './connection';
import type { Clock } from '../../platform';

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call: cancels the request in flight, and no attempt follows. */
  readonly signal?: AbortSignal;
  /** Time limit of this call with all attempts and pauses, in milliseconds; the client's unless set. */
  readonly timeoutMs?: number;
}

/** First and longest pause between attempts; each with jitter. */
const pauses = { firstMs: 200, longestMs: 5000 };

/** Makes calls: attempts with a time limit, pauses between them, and an event for each. */
export class CallRunner {
  readonly #settings: ClientSettings;
  readonly #time: UniqueTime;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#time = new UniqueTime(settings.clock);
  }

  /** The reply of a call, read. @throws RgsClientError */
  run<T>(outgoing: Outgoing, read: ReplyReader<T>, options?: CallOptions): Promise<T> {
    const { attempts } = this.#settings;
    const work = (attempt: Attempt) => exchange(this.#settings, outgoing, read, attempt);
    return this.within(outgoing, { work, attempts }, options).then(({ reply }) => reply);
  }

  /**
   * What one attempt at a call brings, whatever its status: for a caller that reads refusals itself.
   * @throws InvalidRequestError, NetworkError, TimeoutError, AbortedError
   */
  receive(outgoing: Outgoing, options?: CallOptions): Promise<Received> {
    const work = async (attempt: Attempt) =>
      (await send(this.#settings, outgoing, attempt)).received;
    return this.within(outgoing, { work, attempts: 1 }, options);
  }

  private async within<T extends { readonly status: number }>(
    outgoing: Outgoing,
    task: Task<T>,
    options: CallOptions = {},
  ): Promise<T> {
    const timeoutMs = readTimeout(outgoing.operation, options, this.#settings.timeoutMs);
    const endsAt = this.#settings.clock.monotonicMs() + timeoutMs;
    return this.attempts(outgoing, task, { endsAt, timeoutMs, signal: options.signal });
  }

  private async attempts<T extends { readonly status: number }>(
    outgoing: Outgoing,
    task: Task<T>,
    limit: Limit,
  ): Promise<T> {
    const { clock, random, newRequestId } = this.#settings;
    const { operation } = outgoing;
    for (let attempt = 1; ; attempt++) {
      const startedAt = clock.monotonicMs();
      // The first attempt has all of the time, however long it took to get here.
      const leftMs = attempt === 1 ? limit.timeoutMs : limit.endsAt - startedAt;
      throwIfEnded(limit, leftMs, { operation, attempts: attempt - 1 });
      const requestId = newRequestId === null ? null : newRequestId();
      const attempted =
        requestId === null ? { operation, attempt } : { operation, attempt, requestId };
      try {
        const isInDoubt = outgoing.isEffectKept === true && attempt > 1;
        const call = { operation, attempts: attempt, isInDoubt };
        const answer = await this.traced(task, { call, requestId }, limit, leftMs);
        const { status } = answer;
        const durationMs = clock.monotonicMs() - startedAt;
        this.reportAttempt({
          ...attempted,
          outcome: 'answered',
          status,
          durationMs,
          willRetry: false,
        });
        return answer;
      } catch (error) {
        // A bug in this code must not look like a network failure.
        if (!(error instanceof RgsClientError)) throw error;
        const retryInMs = Math.round(backOffMs(pauses, attempt, random));
        const now = clock.monotonicMs();
        const willRetry =
          isWorthRepeating(outgoing, error) &&
          attempt < task.attempts &&
          limit.signal?.aborted !== true &&
          now + retryInMs < limit.endsAt;
        const failed = { ...attempted, ...describe(error), durationMs: now - startedAt } as const;
        this.reportAttempt(
          willRetry ? { ...failed, willRetry, retryInMs } : { ...failed, willRetry },
        );
        if (!willRetry) throw error;
        await clock.pause(retryInMs, limit.signal);
      }
    }
  }

  /** An attempt, in a span if there is a tracer. */
  private traced<T extends { readonly status: number }>(
    task: Task<T>,
    sent: Pick<Attempt, 'call' | 'requestId'>,
    limit: Limit,
    leftMs: number,
  ): Promise<T> {
    const { spans = null } = this.#settings;
    if (spans === null) return this.attempt(task, { ...sent, traceparent: null }, limit, leftMs);
    const { operation, attempts } = sent.call;
    return spans.call(`rgs.${operation}`, async (span) => {
      span.note({ 'rgs.attempt': attempts });
      const { traceparent } = span;
      try {
        const answer = await this.attempt(task, { ...sent, traceparent }, limit, leftMs);
        span.note({ 'http.response.status_code': answer.status });
        return answer;
      } catch (error) {
        if (error instanceof RgsClientError) noteFailure(span, describe(error));
        throw error;
      }
    });
  }

  /** One timer serves both limits: that of the attempt, or that of the call if it ends first. */
  private async attempt<T>(
    { work }: Task<T>,
    sent: Pick<Attempt, 'call' | 'requestId' | 'traceparent'>,
    limit: Limit,
    leftMs: number,
  ): Promise<T> {
    const { clock, attemptTimeoutMs } = this.#settings;
    const { call } = sent;
    const isLast = leftMs <= attemptTimeoutMs;
    const attempted = (signal: AbortSignal): Promise<T> =>
      work({ ...sent, nowMs: this.#time.next(), signal });
    try {
      const limitMs = isLast ? leftMs : attemptTimeoutMs;
      return await withTimeLimit(clock, limitMs, attempted, limit.signal);
    } catch (error) {
      // The reason of the abort counts, however fetch reports it.
      if (limit.signal?.aborted === true) throw new AbortedError(call);
      throw error instanceof TimeUpError
        ? new TimeoutError(call, isLast ? 'call' : 'attempt')
        : error;
    }
  }

  private reportAttempt(attempt: AttemptEvent): void {
    this.#settings.reportAttempt(Object.freeze(attempt));
  }
}

/** How long a call may take with all its attempts. */
interface Limit {
  /** By the monotonic clock. */
  readonly endsAt: number;
  readonly timeoutMs: number;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
}

/** What each attempt does, and how many there may be. */
interface Task<T> {
  readonly work: (attempt: Attempt) => Promise<T>;
  readonly attempts: number;
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
function throwIfEnded({ signal }: Limit, leftMs: number, call: FailedCall): void {
  if (signal?.aborted === true) throw new AbortedError(call);
  if (leftMs <= 0) throw new TimeoutError(call, 'call');
}

function noteFailure(span: Span, { code = 'failed', status }: ReturnType<typeof describe>): void {
  span.note({
    'rgs.error_code': code,
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
  });
  span.fail(code);
}

function describe(failure: RgsClientError): Pick<AttemptEvent, 'outcome' | 'code' | 'status'> {
  const { code } = failure;
  const status = 'status' in failure ? failure.status : undefined;
  return typeof status === 'number'
    ? { outcome: 'failed', code, status }
    : { outcome: 'failed', code };
}

/** How far the times may run ahead of the clock; beyond it they repeat. */
const furthestAheadMs = 1000;

/**
 * Returns the time, never the same millisecond twice. Some calls sign little (getStats signs nothing of
 * its body), so two calls in one millisecond would share a signature, and a receiver that guards against
 * replays as in D1.8 would refuse the second.
 */
class UniqueTime {
  #last = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Milliseconds since 1970. */
  next(): number {
    const now = this.clock.now();
    const isAhead = this.#last >= now && this.#last - now < furthestAheadMs;
    this.#last = isAhead ? this.#last + 1 : now;
    return this.#last;
  }
}
