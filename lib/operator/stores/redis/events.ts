import { type ConsumerLag, type RoundEvent, UnknownConsumerError } from '../../wallet';
import type { EventPage, PageRequest, ReadRound } from '../event-batches';
import { ServerEvents, type ServerEventsParts } from '../server-events';
import { reasonOf } from './client/port';
import { decodeEvent } from './codec/event';
import { bucketCount, type Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';

/** What events need of a store. */
export interface RedisEventsParts extends ServerEventsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  /** Buckets that one script may read: the slots of a cluster allow one. */
  readonly bucketsPerScript: number;
}

/** Scripts that read buckets at once. */
const scriptsAtOnce = 16;

/** Unacknowledged events of a bucket; `cursor` is where the consumer was. */
interface BucketEvents {
  readonly bucket: number;
  readonly cursor: string;
  readonly lastId: string;
  readonly events: readonly RoundEvent[];
  /** Their ids in the stream. */
  readonly ids: readonly string[];
}

/** The keys of some buckets, from the first of them on. */
interface BucketKeys {
  readonly first: number;
  readonly named: { readonly events: readonly string[]; readonly cursors: readonly string[] };
}

/** An entry of a stream. */
type Entry = readonly [id: string, fields: readonly string[]];

/**
 * The consumers of a Redis store, and their events: one stream a bucket, and a cursor of each consumer
 * next to it. A player is in one bucket, so the order of a stream is that of the player.
 */
export class RedisEvents extends ServerEvents<RedisEventsParts> {
  /** The bucket after the last that a page of the consumer held: so none waits for a busy one. */
  readonly #next = new Map<string, number>();

  constructor(parts: RedisEventsParts, readRound: ReadRound) {
    super('Redis', parts, readRound, reasonOf);
  }

  protected declareNames(names: readonly string[]): Promise<unknown> {
    return this.change('SADD', names);
  }

  protected async lags(operatorId: string): Promise<ConsumerLag[]> {
    const { executor } = this.parts;
    const consumers = await this.declaredConsumers();
    return Promise.all(
      consumers.map(async (consumer) => {
        let waiting = 0;
        let oldestAt: number | null = null;
        for await (const keys of this.groups(operatorId)) {
          const replies = await Promise.all(
            keys.map(({ named }) => executor.run(scripts.countEvents, { ...named, consumer })),
          );
          for (const [count, oldest] of replies as [number, string][]) {
            waiting += count;
            if (oldest !== '') oldestAt = Math.min(oldestAt ?? Number(oldest), Number(oldest));
          }
        }
        return { consumer, waiting, oldestAt };
      }),
    );
  }

  async declaredConsumers(): Promise<string[]> {
    const { keys, executor } = this.parts;
    const reply = await executor.run(scripts.readConsumers, { consumers: keys.consumers() });
    return (reply as string[]).toSorted();
  }

  protected async forget(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    const known = (await this.change('SREM', [consumer])) === 1;
    for (const operatorId of operatorIds) await this.forgetEvents(consumer, operatorId);
    return known;
  }

  /**
   * Also if the consumer is not declared any more: repeating it finishes what was interrupted. The names are read
   * after the bounds: a consumer that is declared in between starts after these bounds.
   */
  private async forgetEvents(consumer: string, operatorId: string): Promise<void> {
    const { keys, executor } = this.parts;
    const forgotten = [];
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const call = { ...keys.eventsOfBucket(operatorId, bucket), consumer };
      const asked = { ...call, bound: '', declared: [] };
      const bound = (await executor.run(scripts.forgetEvents, asked)) as string;
      if (bound !== '') forgotten.push({ ...call, bound });
    }
    const declared = await this.declaredConsumers();
    for (const call of forgotten) await executor.run(scripts.forgetEvents, { ...call, declared });
  }

  protected async page(request: PageRequest): Promise<EventPage | null> {
    const { consumer, operatorId, atMost } = request;
    const name = `${operatorId} ${consumer}`;
    const found: BucketEvents[] = [];
    let left = atMost;
    for await (const keys of this.groups(operatorId, this.#next.get(name))) {
      const replies = await Promise.all(
        keys.map(async ({ first, named }) => {
          const call = { ...named, consumer, atMost: left };
          const reply = await this.parts.executor.run(scripts.readEvents, call);
          return this.readReply(operatorId, first, reply);
        }),
      );
      for (const one of replies.flat()) {
        if (left <= 0) continue;
        const kept = cut(one, left);
        found.push(kept);
        left -= kept.events.length;
      }
      if (left <= 0) break;
    }
    const last = found.at(-1);
    if (last === undefined) return this.nothing(consumer);
    this.#next.set(name, (last.bucket + 1) % bucketCount);
    const acknowledge = () => this.acknowledge(request, found);
    return { events: found.flatMap(({ events }) => events), acknowledge };
  }

  /** The names are read after the page: a consumer that is declared later has no claim to its events. */
  private async acknowledge(
    { operatorId, consumer }: PageRequest,
    found: readonly BucketEvents[],
  ): Promise<boolean> {
    const { keys, executor } = this.parts;
    const declared = await this.declaredConsumers();
    const answers = await Promise.all(
      found.map(({ bucket, cursor, lastId: next }) => {
        const named = keys.eventsOfBucket(operatorId, bucket);
        return executor.run(scripts.advanceEvents, { ...named, consumer, cursor, next, declared });
      }),
    );
    return answers.every((answer) => answer === 1);
  }

  /** Called after an empty read: either there are no events, or no process writes them for this consumer. */
  private async nothing(consumer: string): Promise<null> {
    const names = await this.declaredConsumers();
    if (names.includes(consumer)) return null;
    await this.parts.gate.confirmStore();
    throw new UnknownConsumerError(consumer);
  }

  private change(command: 'SADD' | 'SREM', names: readonly string[]): Promise<unknown> {
    const { keys, executor } = this.parts;
    const call = { consumers: keys.consumers(), command, names };
    return executor.run(scripts.declareConsumers, call);
  }

  /** The keys of all buckets from one on, as scripts read them, some scripts at once. */
  private async *groups(operatorId: string, from = 0): AsyncGenerator<BucketKeys[]> {
    const { keys, bucketsPerScript } = this.parts;
    const start = from - (from % bucketsPerScript);
    let group: BucketKeys[] = [];
    for (let step = 0; step < bucketCount; step += bucketsPerScript) {
      const first = (start + step) % bucketCount;
      const buckets = Array.from({ length: bucketsPerScript }, (_, at) => first + at);
      const named = buckets.map((bucket) => keys.eventsOfBucket(operatorId, bucket));
      const [events, cursors] = [named.map((one) => one.events), named.map((one) => one.cursors)];
      group.push({ first, named: { events, cursors } });
      if (group.length < scriptsAtOnce) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }

  private readReply(operatorId: string, first: number, reply: unknown): BucketEvents[] {
    return (reply as [number, string, Entry[]][]).map(([number, cursor, entries]) => ({
      bucket: first + number - 1,
      cursor,
      lastId: entries.at(-1)?.[0] ?? cursor,
      events: entries.map((entry) => this.eventOf(operatorId, entry)),
      ids: entries.map(([id]) => id),
    }));
  }

  private eventOf(operatorId: string, [id, [, text = '']]: Entry): RoundEvent {
    const at = Number(id.slice(0, id.indexOf('-')));
    return decodeEvent(text, { operatorId, at }, this.parts.decimals);
  }
}

/** The first events of a bucket. */
function cut(found: BucketEvents, most: number): BucketEvents {
  if (found.events.length <= most) return found;
  return { ...found, events: found.events.slice(0, most), lastId: found.ids[most - 1] ?? '' };
}
