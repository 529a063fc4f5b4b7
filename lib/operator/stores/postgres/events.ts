import {
  type ConsumerLag,
  createRoundEvent,
  createRoundPointer,
  type EventBatch,
  type EventSource,
  type EventsRequest,
  type RoundEvent,
  UnknownConsumerError,
} from '../../wallet';
import type { Clock } from '../../../platform';
import type { Events } from '../../events';
import { checkIdentifiers, checkOperatorIds } from '../check-input';
import { eventBatches, type EventPage, type PageRequest, type ReadRound } from '../event-batches';
import { decodeChange } from '../codec/event';
import { EventLimit } from '../event-limit';
import { stateOf } from '../codec/record';
import { checkConsumer } from '../store-options';
import { UnnamedConsumers } from '../companions';
import { unexpected } from './answers';
import { reasonOf } from './client/port';
import { readAccount } from './codec/round';
import type { Executor, Line } from './connections/executor';
import { functions } from './schema/functions';

/** What events need of a store. */
export interface PostgresEventsParts {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly decimals: number;
  readonly acceptLoss: boolean;
  readonly lockTimeoutMs: number;
  /** The consumers that the store declares. */
  readonly consumers: readonly string[];
  readonly eventsLimit: number;
  /** Whether to refuse a start without names of consumers where some are declared. */
  readonly refusesUnnamed: boolean;
  /** Where it reports. */
  readonly events: Events;
}

/** The consumers of a PostgreSQL store, and their events. */
export class PostgresEvents implements EventSource {
  readonly #writing: { readonly accept_loss: boolean; readonly lock_timeout_ms: number };
  readonly #unnamed: UnnamedConsumers;
  readonly #limit: EventLimit;
  #declared: Promise<unknown> | null = null;

  constructor(
    private readonly parts: PostgresEventsParts,
    private readonly readRound: ReadRound,
  ) {
    const { acceptLoss, lockTimeoutMs } = parts;
    this.#writing = { accept_loss: acceptLoss, lock_timeout_ms: lockTimeoutMs };
    const { eventsLimit, clock, events } = parts;
    const lag = (operatorId: string) => this.lag(operatorId);
    this.#limit = new EventLimit(eventsLimit, { store: 'PostgreSQL', clock, events, lag });
    const declared = () => this.declaredConsumers();
    const refuses = parts.refusesUnnamed;
    this.#unnamed = new UnnamedConsumers('PostgreSQL', { events, refuses, declared, reasonOf });
  }

  /** Whether commits are to write events. */
  get isOn(): boolean {
    return this.parts.consumers.length > 0;
  }

  /** Declares the store's consumers; if it has none, reports those that are declared. */
  async ready(): Promise<void> {
    await (this.isOn ? this.declare() : this.#unnamed.look());
  }

  /** Resolves once the store's consumers are declared: no event may be written before. */
  async declare(): Promise<void> {
    if (!this.isOn) return;
    const { executor, consumers } = this.parts;
    const values = { ...this.#writing, names: consumers };
    this.#declared ??= executor.run(functions.declareConsumers, values).catch((error: unknown) => {
      this.#declared = null;
      throw error;
    });
    await this.#declared;
  }

  read(request: EventsRequest): AsyncIterable<EventBatch> {
    return eventBatches(request, this.parts.clock, (page) => this.page(page), this.readRound);
  }

  /** Whether a commit of the operator is to write a pointer: too many events wait. */
  isOverLimit(operatorId: string): boolean {
    return this.isOn && this.#limit.isOver(operatorId);
  }

  async lag(operatorId: string): Promise<ConsumerLag[]> {
    checkIdentifiers({ operatorId });
    const lines = await this.lagLines(operatorId);
    return lines.map(([consumer, waiting, oldest]) => {
      const oldestAt = typeof oldest === 'string' ? Number(oldest) : null;
      return { consumer: consumer ?? '', waiting: Number(waiting), oldestAt };
    });
  }

  /** The lag of an operator that cannot be: nothing but the names. */
  async declaredConsumers(): Promise<string[]> {
    return (await this.lagLines('')).map(([consumer]) => consumer ?? '');
  }

  async forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    checkConsumer(consumer);
    checkOperatorIds(operatorIds);
    const values = { ...this.#writing, of_consumer: consumer, of_operators: operatorIds };
    const [line] = await this.parts.executor.run(functions.forgetConsumer, values);
    return line?.[0] === 'true';
  }

  private lagLines(operatorId: string): Promise<readonly Line[]> {
    return this.parts.executor.run(functions.lagEvents, { of_operator: operatorId });
  }

  private async page(request: PageRequest): Promise<EventPage | null> {
    await this.declare();
    const { consumer, operatorId, atMost } = request;
    for (;;) {
      const [first, ...lines] = await this.parts.executor.run(functions.readEvents, {
        lock_timeout_ms: this.parts.lockTimeoutMs,
        of_operator: operatorId,
        of_consumer: consumer,
        at_most: atMost,
      });
      if (first === undefined) return null;
      const [kind, step] = first;
      if (kind === 'unknown') throw new UnknownConsumerError(consumer);
      if (kind !== 'page' || typeof step !== 'string') throw unexpected();
      const last = lines.at(-1)?.[1] ?? '';
      const isLast = lines.length < atMost;
      const acknowledge = () => this.advance(request, { at_step: step, to_place: last, isLast });
      if (lines.length > 0) {
        const events = lines.map((line) => this.eventOf(operatorId, line));
        return { events, acknowledge };
      }
      await acknowledge(); // the end of the last page was the end of all pages
    }
  }

  private async advance(
    { operatorId, consumer }: PageRequest,
    {
      isLast,
      ...at
    }: { readonly at_step: string; readonly to_place: string; readonly isLast: boolean },
  ): Promise<boolean> {
    const names = { of_operator: operatorId, of_consumer: consumer };
    const values = { ...this.#writing, ...names, ...at, is_last: isLast };
    const [line] = await this.parts.executor.run(functions.advanceEvents, values);
    if (line?.[0] !== 'done' && line?.[0] !== 'moved') throw unexpected();
    return line[0] === 'done';
  }

  private eventOf(operatorId: string, line: Line): RoundEvent {
    const [kind, , playerId, gameRound, version, at, text, took, accounts] = line;
    if (kind !== 'event' || typeof text !== 'string') throw unexpected();
    const round = { operatorId, playerId: playerId ?? '', gameRound: gameRound ?? '' };
    const commit = { round, version: Number(version), at: Number(at) };
    const { decimals } = this.parts;
    // A pointer has the state alone.
    if (!text.startsWith('['))
      return createRoundPointer({ ...commit, state: stateOf(text) }, decimals);
    const taken = (took ?? '').split(' ').filter(Boolean).map(BigInt);
    const change = { ...decodeChange(text, taken), accounts: accountsOf(accounts ?? null) };
    return createRoundEvent({ ...change, ...commit }, decimals);
  }
}

/** Currency, real and bonus of each account, `-` for no such balance, in any order; null without any. */
function accountsOf(text: string | null): ReturnType<typeof readAccount>[] | null {
  if (text === null) return null;
  const words = text.split(' ');
  const accounts = Array.from({ length: words.length / 3 }, (_, at) => {
    const [currency = '', real = '', bonus] = words.slice(3 * at, 3 * at + 3);
    return readAccount([currency, real, bonus === '-' ? null : (bonus ?? null)]);
  });
  return accounts.toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}
