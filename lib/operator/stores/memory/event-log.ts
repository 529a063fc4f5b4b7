import type { Clock } from '../../../platform';
import {
  type ConsumerLag,
  type EventBatch,
  type EventSource,
  type EventsRequest,
  type Totals,
  type TotalsBatch,
  type TotalsChange,
  totalsConsumer,
  UnknownConsumerError,
  type WalletEvent,
} from '../../wallet';
import { checkIdentifiers, checkOperatorIds } from '../check-input';
import { type EventPage, eventBatches, type PageRequest, totalsBatches } from '../event-batches';
import { checkConsumer } from '../store-options';
import type { KeptTotals } from './totals';

/** An operator's events; `first` is the number of the first that is kept. */
interface OperatorEvents {
  first: number;
  readonly events: WalletEvent[];
  /** The number behind the last acknowledged event of each consumer. */
  readonly positions: Map<string, number>;
}

/** The events of a memory store. */
export class EventLog implements EventSource {
  readonly #consumers: Set<string>;
  readonly #operators = new Map<string, OperatorEvents>();

  constructor(
    consumers: readonly string[],
    private readonly clock: Clock,
    private readonly totals: KeptTotals,
  ) {
    this.#consumers = new Set(consumers);
  }

  /** Whether anything is to be written. */
  get isOn(): boolean {
    return this.#consumers.size > 0;
  }

  add(event: WalletEvent): void {
    this.of(event.operatorId).events.push(event);
  }

  read(request: EventsRequest): AsyncIterable<EventBatch> {
    return eventBatches(request, this.clock, async (page) => this.page(page));
  }

  /** The events that the totals do not have. */
  uncounted(request: Parameters<Totals['batches']>[0]): AsyncIterable<TotalsBatch> {
    return totalsBatches(request, { clock: this.clock, read: async (page) => this.page(page) });
  }

  async lag(operatorId: string): Promise<ConsumerLag[]> {
    checkIdentifiers({ operatorId });
    const kept = this.of(operatorId);
    return [...this.#consumers].map((consumer) => {
      const from = positionOf(kept, consumer) - kept.first;
      const oldest = kept.events[from];
      const waiting = kept.events.length - from;
      return { consumer, waiting, oldestAt: oldest === undefined ? null : Date.parse(oldest.at) };
    });
  }

  async declaredConsumers(): Promise<string[]> {
    return [...this.#consumers].toSorted();
  }

  async forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    checkConsumer(consumer);
    checkOperatorIds(operatorIds);
    const wasKnown = this.#consumers.delete(consumer);
    if (consumer === totalsConsumer) for (const id of operatorIds) this.totals.interrupt(id);
    for (const kept of this.#operators.values()) {
      kept.positions.delete(consumer);
      this.trim(kept);
    }
    return wasKnown;
  }

  /** @throws UnknownConsumerError */
  private page({ consumer, operatorId, atMost }: PageRequest): EventPage | null {
    if (!this.#consumers.has(consumer)) throw new UnknownConsumerError(consumer);
    const kept = this.of(operatorId);
    const from = positionOf(kept, consumer);
    const events = kept.events.slice(from - kept.first, from - kept.first + atMost);
    if (events.length === 0) return null;
    const acknowledge = async (totals?: TotalsChange): Promise<boolean> => {
      if (positionOf(kept, consumer) !== from) return false;
      if (totals !== undefined) this.totals.add(operatorId, totals);
      kept.positions.set(consumer, from + events.length);
      this.trim(kept);
      return true;
    };
    return { events, acknowledge };
  }

  private of(operatorId: string): OperatorEvents {
    const known = this.#operators.get(operatorId);
    if (known !== undefined) return known;
    const made = { first: 0, events: [], positions: new Map<string, number>() };
    this.#operators.set(operatorId, made);
    return made;
  }

  /** Deletes what every consumer has acknowledged. */
  private trim(kept: OperatorEvents): void {
    const end = kept.first + kept.events.length;
    const least = [...this.#consumers].map((consumer) => positionOf(kept, consumer));
    const first = Math.min(end, ...least);
    kept.events.splice(0, first - kept.first);
    kept.first = first;
  }
}

function positionOf({ first, positions }: OperatorEvents, consumer: string): number {
  return Math.max(first, positions.get(consumer) ?? first);
}
