import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  type IBackoff,
  type IBackoffFactory,
  isBrokenCircuitError,
} from 'cockatiel';
import type { BreakerState } from '../telemetry/recorder';
import type {
  Account,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerRefused,
  LedgerReversal,
  PlayerKey,
  Unknown,
} from '../wallet';
import type { Clock } from '../../platform';
import { backOffMs } from '../../platform/back-off';
import { unlessAborted, withDeadline } from '../../platform/within';
import type { Spans } from '../../platform/tracing';
import { checkAccounts, checkAnswer, LedgerAnswerError, paidBy } from './answers';
import type { LedgerStoreSettings } from './options';

/** First and longest pause between attempts; each with jitter. */
const pauses = { firstMs: 30, longestMs: 400 };

/** The ledger does not answer, or its circuit breaker is open: the outcome is unknown. */
export class LedgerSilentError extends Error {
  override readonly name = 'LedgerSilentError';

  constructor(
    message: string,
    /** Whether an immediate retry is useless. */
    readonly isBroken: boolean,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The unknown outcome for an error. */
export function unknownBecause(error: unknown): Unknown {
  const cause = error instanceof Error ? error : new Error('The ledger store failed.');
  const isBroken = error instanceof LedgerSilentError && error.isBroken;
  return isBroken ? { kind: 'unknown', cause, giveUp: true } : { kind: 'unknown', cause };
}

/**
 * Calls the ledger: each attempt with a time limit, a few of them with pauses, all through one circuit
 * breaker. A retry is safe: all attempts at a posting have its key.
 */
export class LedgerCaller {
  private readonly breaker: CircuitBreakerPolicy;

  constructor(private readonly settings: LedgerStoreSettings) {
    const { breakAfter, breakMs, clock, events } = settings;
    this.breaker = circuitBreaker(handleWhen(isSilence), {
      halfOpenAfter: pauseOf(breakMs, clock),
      breaker: new ConsecutiveBreaker(breakAfter),
    });
    this.breaker.onBreak(() => events.emit({ kind: 'ledgerBroken', breakMs }));
    this.breaker.onReset(() => events.emit({ kind: 'ledgerBack' }));
  }

  /** Whether the circuit breaker is open, or was a moment ago. */
  get isBroken(): boolean {
    return this.breaker.state !== CircuitState.Closed;
  }

  /** State of the circuit breaker, for people. */
  get breakerState(): BreakerState {
    const { state } = this.breaker;
    if (state === CircuitState.Closed) return 'closed';
    return state === CircuitState.HalfOpen ? 'half_open' : 'open';
  }

  /** @throws LedgerSilentError */
  debit(posting: LedgerDebit, until: AbortSignal): Promise<LedgerDone | LedgerRefused> {
    return this.call('debit', posting, until, async (ledger, signal) => {
      const answer = checkAnswer(await ledger.debit(posting, signal));
      if (answer.kind === 'done') paidBy(answer, posting.amount);
      return answer;
    });
  }

  /** @throws LedgerSilentError */
  credit(posting: LedgerCredit, until: AbortSignal): Promise<LedgerDone | LedgerRefused> {
    return this.call('credit', posting, until, async (ledger, signal) =>
      checkAnswer(await ledger.credit(posting, signal)),
    );
  }

  /** A refused reversal is not an outcome: it has to be done. @throws LedgerSilentError */
  async reverse(posting: LedgerReversal, until: AbortSignal): Promise<void> {
    const answer = await this.call('reverse', posting, until, async (ledger, signal) =>
      checkAnswer(await ledger.reverse(posting, signal)),
    );
    if (answer.kind === 'done') return;
    const { key, playerId, gameRound, hash } = posting;
    const { reason } = answer;
    this.settings.events.emit({ kind: 'reversalRefused', key, playerId, gameRound, hash, reason });
    throw new LedgerSilentError('The ledger refuses a reversal.', false, {});
  }

  /** @throws LedgerSilentError */
  balances(player: PlayerKey, until: AbortSignal): Promise<readonly Account[] | null> {
    return this.call('balances', player, until, async (ledger, signal) =>
      checkAccounts(await ledger.balances(player, signal)),
    );
  }

  private async call<T>(
    method: string,
    { playerId, ...names }: PlayerKey & { readonly key?: string },
    until: AbortSignal,
    work: (ledger: LedgerStoreSettings['ledger'], signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { ledger, attempts, clock, random, events, spans } = this.settings;
    const once = (): Promise<T> => this.inTime(until, (signal) => work(ledger, signal));
    const attempt = spans === null ? once : () => traced(spans, method, once);
    for (let tried = 1; ; tried++) {
      try {
        until.throwIfAborted();
        return await this.breaker.execute(attempt, until);
      } catch (error) {
        const { key } = names;
        events.emit({ kind: 'ledgerAttempt', outcome: 'failed', method, playerId, key, error });
        if (tried >= attempts || until.aborted || !isSilence(error)) throw silent(error);
      }
      await clock.pause(backOffMs(pauses, tried, random), until);
    }
  }

  private inTime<T>(until: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, attemptTimeoutMs } = this.settings;
    const attempt = (signal: AbortSignal): Promise<T> => unlessAborted(signal, work(signal));
    return withDeadline(clock, attemptTimeoutMs, attempt, until);
  }
}

/** One attempt in a span. An answer has a kind, but for balances. */
function traced<T>(spans: Spans, method: string, attempt: () => Promise<T>): Promise<T> {
  return spans.call(`rgs.ledger.${method}`, async (span) => {
    try {
      const answer = await attempt();
      const { kind } = Object(answer) as { readonly kind?: unknown };
      span.note({ 'rgs.ledger.result': kind === 'refused' ? kind : 'done' });
      return answer;
    } catch (error) {
      span.note({ 'rgs.ledger.result': 'unknown' });
      span.fail('unknown');
      throw error;
    }
  });
}

function silent(cause: unknown): LedgerSilentError {
  const isBroken = isBrokenCircuitError(cause);
  const message = isBroken ? 'The ledger circuit breaker is open.' : 'The ledger did not answer.';
  return new LedgerSilentError(message, isBroken, { cause });
}

/**
 * How long the breaker stays open. The breaker compares this with a difference of wall clock readings, so it is
 * infinite until the pause is over by the monotonic clock, and then 0.
 */
function pauseOf(ms: number, clock: Clock): IBackoffFactory<unknown> {
  const next = (): IBackoff<unknown> => {
    const dueAt = clock.monotonicMs() + ms;
    return {
      get duration() {
        const isOver = clock.monotonicMs() >= dueAt;
        return isOver ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      },
      next,
    };
  };
  return { next };
}

/** An invalid answer is still an answer of the ledger: neither a retry nor a pause helps. */
function isSilence(error: unknown): boolean {
  return !(error instanceof LedgerAnswerError) && !isBrokenCircuitError(error);
}
