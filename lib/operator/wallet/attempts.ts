import type { Clock } from '../../platform';
import { within, type WithinOptions } from '../../platform/within';
import type { Rounds, Unknown } from './store';

/** First pause after an unknown answer; it doubles up to a quarter second. */
const firstPauseMs = 10;
const longestPauseMs = 250;

/**
 * The answer of a store after a time-out: unknown. A store that hangs must not hold a call, whatever its
 * own deadline (D7).
 */
export const unknownIfLate: WithinOptions<Unknown> = Object.freeze({
  late: (): Unknown => ({
    kind: 'unknown',
    cause: new Error('The store did not answer in time.'),
  }),
});

/** The same, and a store that throws, which the port forbids, is in doubt: the operation may have happened. */
const unknownUnlessAnswered: WithinOptions<Unknown> = Object.freeze({
  ...unknownIfLate,
  failed: inDoubt,
});

/** What a call asks its store, again and again until its deadline (D7). */
export class Attempts {
  private readonly deadline: number;
  private pauseMs = firstPauseMs;
  private isHopeless = false;
  private cause: Error | null = null;

  constructor(
    private readonly rounds: Rounds,
    private readonly clock: Clock,
    deadlineMs: number,
  ) {
    this.deadline = clock.monotonicMs() + deadlineMs;
  }

  /** Whether another attempt can still help. */
  get isWorthwhile(): boolean {
    return !this.isHopeless && this.clock.monotonicMs() < this.deadline;
  }

  /** Why the outcome is unknown, once no further attempt is made. */
  get failure(): Error {
    return this.cause ?? new Error('The deadline passed.');
  }

  /** Asks the store, until the deadline at most. Never rejects. */
  run<T>(operation: (rounds: Rounds) => Promise<T>): Promise<T | Unknown> {
    const { rounds, clock } = this;
    try {
      const leftMs = this.deadline - clock.monotonicMs();
      return within(clock, leftMs, operation(rounds), unknownUnlessAnswered);
    } catch (error) {
      return Promise.resolve(inDoubt(error));
    }
  }

  /** Notes an attempt without a definite answer, then pauses: the next one may have it. */
  async failed({ cause, giveUp }: Unknown): Promise<void> {
    this.cause = cause;
    if (giveUp) this.isHopeless = true;
    const leftMs = this.deadline - this.clock.monotonicMs();
    if (this.isHopeless || leftMs <= 0) return;
    await this.clock.pause(Math.min(this.pauseMs, leftMs));
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
  }
}

function inDoubt(error: unknown): Unknown {
  return { kind: 'unknown', cause: toError(error), giveUp: true };
}

/** What was thrown, as an Error. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('A value that is not an Error was thrown.');
}
