import { StoreUnavailableError, StoreUnsafeError } from '../../errors';
import type { Clock } from '../../wallet';
import { type Connections, NotSentError } from './connections';
import { type StoreFunction, statementOf } from './functions';
import {
  codeOf,
  mayPass,
  type PostgresValue,
  query,
  reasonOf,
  wasNotExecuted,
} from './postgres-client';

/** How the executor runs functions. */
export interface ExecutorOptions {
  readonly clock: Clock;
  readonly schema: string;
  /** Longest wait for an answer, in milliseconds. */
  readonly commandTimeoutMs: number;
}

/** One line of an answer; what is left out at its end is null. */
export type Line = readonly (string | null)[];

/** Longest pause before a statement that did not happen is sent again; at random, so that two do not meet again. */
const longestPauseMs = 25;

/** What the functions raise where the session would lose what they tell. */
const unsafeCode = 'RW001';

/**
 * Runs the store's functions, each as one statement that is its own transaction, and each with a deadline of its own,
 * whatever the pool's settings.
 */
export class Executor {
  constructor(
    private readonly connections: Connections,
    private readonly options: ExecutorOptions,
  ) {}

  /**
   * Runs a function. What certainly did not happen, and may the next time, is repeated within the deadline.
   * @throws StoreUnavailableError where it may or may not have happened; StoreUnsafeError.
   */
  async run(called: StoreFunction, values: readonly PostgresValue[]): Promise<Line[]> {
    const { clock, commandTimeoutMs, schema } = this.options;
    const deadline = clock.now() + commandTimeoutMs;
    const statement = statementOf(called, schema);
    for (;;) {
      const pauseMs = 1 + Math.random() * (longestPauseMs - 1);
      try {
        return await this.connections.use(deadline - clock.now(), (client) =>
          query(client, statement, values),
        );
      } catch (error) {
        if (error instanceof StoreUnsafeError) throw error;
        if (codeOf(error) === unsafeCode) throw new StoreUnsafeError(reasonOf(error));
        if (!isRepeatable(error) || clock.now() + pauseMs >= deadline) {
          // Its reason alone: the server's details repeat what was sent.
          throw new StoreUnavailableError(
            `PostgreSQL did not complete ${called.name}: ${reasonOf(error)}`,
          );
        }
      }
      await clock.pause(pauseMs);
    }
  }
}

function isRepeatable(error: unknown): boolean {
  return error instanceof NotSentError || (wasNotExecuted(error) && mayPass(error));
}
