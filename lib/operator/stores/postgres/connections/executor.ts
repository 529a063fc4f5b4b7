import { StoreUnavailableError, StoreUnsafeError } from '../../../wallet';
import type { Clock, Random } from '../../../../platform';
import type { Events } from '../../../events';
import type { PlayerKey } from '../../../wallet';
import { type Connections, NotSentError } from './pool';
import {
  inOrder,
  type Statement,
  type StoreFunction,
  statementOf,
  type ValuesOf,
} from '../schema/statement';
import { PlayerGate } from './player-gate';
import { codeOf, isLentSession, mayPass, query, reasonOf, wasNotExecuted } from '../client/port';

/** Options of the executor. */
interface ExecutorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly schema: string;
  /** Time limit of an answer, in milliseconds. */
  readonly commandTimeoutMs: number;
  /** Whether statements are prepared under a name, as long as sessions support it. */
  readonly preparedStatements: boolean;
  readonly events: Events;
}

/** What every function that writes takes. */
export interface Writing {
  /** Whether the server may forget what it has acknowledged. */
  readonly accept_loss: boolean;
  /** How long to wait for the row of a player or a round. */
  readonly lock_timeout_ms: number;
}

/** What a part of the store needs to write. */
export interface WritingParts {
  readonly executor: Executor;
  readonly writing: Writing;
}

/** One line of an answer; missing texts at its end are null. */
export type Line = readonly (string | null)[];

/**
 * Longest pause before a statement that did not happen is retried; random, so that two do not collide
 * again.
 */
const longestPauseMs = 25;

/** The error code of the functions for a session that would lose what they acknowledge. */
const unsafeCode = 'RW001';

/** The error code of a function that undoes its statement and answers with a line, its texts apart by spaces. */
const undoneCode = 'RW002';

/**
 * Runs the store's functions. Each is one statement, its own transaction, and has its own deadline,
 * whatever the pool's settings.
 */
export class Executor {
  readonly #statements = new Map<StoreFunction, Statement>();
  readonly #players: PlayerGate;
  #isNaming: boolean;

  constructor(
    private readonly connections: Connections,
    private readonly options: ExecutorOptions,
  ) {
    this.#isNaming = options.preparedStatements;
    this.#players = new PlayerGate(options.clock);
  }

  /**
   * Runs a function. A statement that certainly did not happen, and may succeed next time, is retried
   * within the deadline. If a player is named, whose rows the function locks, only a few run concurrently
   * for that player.
   * @throws StoreUnavailableError if it may or may not have happened; StoreUnsafeError.
   */
  async run<F extends StoreFunction>(
    called: F,
    values: ValuesOf<F>,
    player?: PlayerKey,
  ): Promise<Line[]> {
    const { clock, random, commandTimeoutMs } = this.options;
    const deadline = clock.monotonicMs() + commandTimeoutMs;
    const { text, name } = this.statement(called);
    const sent = inOrder(called, values);
    for (;;) {
      const isNamed = this.#isNaming;
      const send = (): Promise<Line[]> =>
        this.connections.use(deadline - clock.monotonicMs(), (client) =>
          query(client, text, sent, isNamed ? name : undefined),
        );
      try {
        if (player === undefined) return await send();
        return await this.#players.pass(player, deadline - clock.monotonicMs(), send);
      } catch (error) {
        if (error instanceof StoreUnsafeError) throw error;
        if (codeOf(error) === undoneCode) return [reasonOf(error).split(' ')];
        if (codeOf(error) === unsafeCode) throw new StoreUnsafeError(reasonOf(error));
        if (isNamed && isLentSession(error)) {
          this.stopNaming();
          continue;
        }
        const pauseMs = 1 + random.next() * (longestPauseMs - 1);
        if (!isRepeatable(error) || clock.monotonicMs() + pauseMs >= deadline) {
          // Only its message: the server's details repeat what was sent.
          throw new StoreUnavailableError(
            `PostgreSQL did not complete ${called.name}: ${reasonOf(error)}`,
          );
        }
        await clock.pause(pauseMs);
      }
    }
  }

  /**
   * The wall clock of the server, in milliseconds since 1970.
   * @throws StoreUnavailableError, StoreUnsafeError.
   */
  async time(): Promise<number> {
    const text = 'SELECT trunc(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
    try {
      const [line] = await this.connections.use(this.options.commandTimeoutMs, (client) =>
        query(client, text),
      );
      return Number(line?.[0]);
    } catch (error) {
      if (error instanceof StoreUnsafeError) throw error;
      throw new StoreUnavailableError(`PostgreSQL did not tell its time: ${reasonOf(error)}`);
    }
  }

  private statement(called: StoreFunction): Statement {
    const known = this.#statements.get(called);
    if (known !== undefined) return known;
    const statement = statementOf(called, this.options.schema);
    this.#statements.set(called, statement);
    return statement;
  }

  /** The statement did not happen. Other statements in flight may fail alike. */
  private stopNaming(): void {
    if (!this.#isNaming) return;
    this.#isNaming = false;
    this.options.events.emit({ kind: 'nothingPrepared' });
  }
}

function isRepeatable(error: unknown): boolean {
  return error instanceof NotSentError || (wasNotExecuted(error) && mayPass(error));
}
