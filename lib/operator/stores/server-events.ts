import type { Clock } from '../../platform';
import type { Events, StoreName } from '../events';
import type {
  ConsumerLag,
  EventBatch,
  EventSource,
  EventsRequest,
  Totals,
  TotalsBatch,
} from '../wallet';
import { checkIdentifiers, checkOperatorIds } from './check-input';
import { UnnamedConsumers } from './companions';
import {
  eventBatches,
  type EventPage,
  type PageRequest,
  type ReadRound,
  totalsBatches,
} from './event-batches';
import { EventLimit } from './event-limit';
import { checkConsumer } from './store-options';

/** What events need of a store with a server. */
export interface ServerEventsParts {
  readonly clock: Clock;
  readonly decimals: number;
  /** The consumers that the store declares. */
  readonly consumers: readonly string[];
  readonly eventsLimit: number;
  /** Whether to refuse a start without names of consumers where some are declared. */
  readonly refusesUnnamed: boolean;
  /** Where it reports. */
  readonly events: Events;
}

/** The consumers of a store with a server, and their events: what does not depend on the server. */
export abstract class ServerEvents<P extends ServerEventsParts> implements EventSource {
  readonly #limit: EventLimit;
  readonly #unnamed: UnnamedConsumers;
  #declared: Promise<unknown> | null = null;

  constructor(
    store: StoreName,
    protected readonly parts: P,
    private readonly readRound: ReadRound,
    reasonOf: (error: unknown) => string,
  ) {
    const { eventsLimit, clock, events, refusesUnnamed: refuses } = parts;
    const lag = (operatorId: string) => this.waiting(operatorId);
    const declared = () => this.declaredConsumers();
    this.#limit = new EventLimit(eventsLimit, { store, clock, events, lag });
    this.#unnamed = new UnnamedConsumers(store, { events, refuses, declared, reasonOf });
  }

  abstract declaredConsumers(): Promise<string[]>;
  /** Declares the names in the server. */
  protected abstract declareNames(names: readonly string[]): Promise<unknown>;
  /** The lag of each consumer with the events of an operator. */
  protected abstract lags(operatorId: string): Promise<ConsumerLag[]>;
  /** How many events of an operator are kept, if no consumer is declared: a process may still write them. */
  protected abstract kept(operatorId: string): Promise<number>;
  /** Takes a declaration back, with its places in the events; resolves to whether it was known. */
  protected abstract forget(consumer: string, operatorIds: readonly string[]): Promise<boolean>;
  /** The next unacknowledged events; null without any. */
  protected abstract page(request: PageRequest): Promise<EventPage | null>;

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
    this.#declared ??= this.declareNames(this.parts.consumers).catch((error: unknown) => {
      this.#declared = null;
      throw error;
    });
    await this.#declared;
  }

  read(request: EventsRequest): AsyncIterable<EventBatch> {
    return eventBatches(
      request,
      this.parts.clock,
      (page) => this.declaredPage(page),
      this.readRound,
    );
  }

  /** The events that the totals do not have. */
  uncounted(request: Parameters<Totals['batches']>[0]): AsyncIterable<TotalsBatch> {
    const read = (page: PageRequest) => this.declaredPage(page);
    return totalsBatches(request, { clock: this.parts.clock, read, readRound: this.readRound });
  }

  private async declaredPage(page: PageRequest): Promise<EventPage | null> {
    await this.declare();
    return this.page(page);
  }

  /** What a commit of the operator is to write: a pointer where too many events wait. Call it once a commit. */
  kindFor(operatorId: string): 'event' | 'pointer' | null {
    if (!this.isOn) return null;
    return this.#limit.isOver(operatorId) ? 'pointer' : 'event';
  }

  async lag(operatorId: string): Promise<ConsumerLag[]> {
    checkIdentifiers({ operatorId });
    return this.lags(operatorId);
  }

  /** The lags; where no consumer is declared any more, that of one which this store names. */
  private async waiting(operatorId: string): Promise<ConsumerLag[]> {
    const lags = await this.lags(operatorId);
    const [consumer] = this.parts.consumers;
    if (lags.length > 0 || consumer === undefined) return lags;
    return [{ consumer, waiting: await this.kept(operatorId), oldestAt: null }];
  }

  async forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    checkConsumer(consumer);
    checkOperatorIds(operatorIds);
    return this.forget(consumer, operatorIds);
  }
}
