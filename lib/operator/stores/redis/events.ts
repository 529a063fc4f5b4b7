import {
  type ConsumerLag,
  type TotalsChange,
  totalsConsumer,
  UnknownConsumerError,
} from '../../wallet';
import type { EventPage, PageRequest, ReadRound } from '../event-batches';
import { ServerEvents, type ServerEventsParts } from '../server-events';
import { reasonOf } from './client/port';
import { decodeEntry, entryId } from './codec/event';
import { bucketCount } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Gate } from './connection/gate';
import { type EventLagParts, lagsOf } from './event-lag';
import type { RedisTotals } from './totals/store';

/** What events need of a store. */
export interface RedisEventsParts extends ServerEventsParts, EventLagParts {
  readonly gate: Gate;
}

/** Scripts that read buckets at once. */
const scriptsAtOnce = 16;

/** The share of a bucket where many wait: each costs a few commands when the page is acknowledged. */
const usualShare = 16;
/** So many buckets of a script are served by every page at least, even if one of them is busy. */
const bucketsServed = 4;

/** Unacknowledged entries of a bucket, as read.lua replies; `cursor` is where the consumer was. */
interface BucketEntries {
  readonly bucket: number;
  readonly cursor: string;
  readonly entries: readonly string[];
}

/** The keys of some buckets, from the first of them on. */
interface BucketKeys {
  readonly first: number;
  readonly named: { readonly events: readonly string[]; readonly cursors: readonly string[] };
}

/** What one script was asked for, and has answered. */
interface Answer {
  readonly keys: BucketKeys;
  readonly asked: number;
  readonly count: number;
  readonly found: readonly BucketEntries[];
}

/**
 * The consumers of a Redis store, and their events: one stream a bucket, and a cursor of each consumer
 * next to it. A player is in one bucket, so the order of a stream is that of the player.
 */
export class RedisEvents extends ServerEvents<RedisEventsParts> {
  /** The bucket that the next page of a consumer begins with: so none waits for a busy one. */
  readonly #next = new Map<string, number>();

  constructor(
    parts: RedisEventsParts,
    readRound: ReadRound,
    private readonly totals: RedisTotals,
  ) {
    super('Redis', parts, readRound, reasonOf);
  }

  protected declareNames(names: readonly string[]): Promise<unknown> {
    return this.change('SADD', names);
  }

  protected async lags(operatorId: string): Promise<ConsumerLag[]> {
    return lagsOf(this.parts, operatorId, await this.declaredConsumers());
  }

  /** A name that no consumer can have has acknowledged nothing. */
  protected async kept(operatorId: string): Promise<number> {
    const [lag] = await lagsOf(this.parts, operatorId, ['']);
    return lag?.waiting ?? 0;
  }

  async declaredConsumers(): Promise<string[]> {
    const { keys, executor } = this.parts;
    const reply = await executor.run(scripts.readConsumers, { consumers: keys.consumers() });
    return (reply as string[]).toSorted();
  }

  protected async forget(consumer: string, operatorIds: readonly string[]): Promise<boolean> {
    const known = (await this.change('SREM', [consumer])) === 1;
    for (const operatorId of operatorIds) {
      if (consumer === totalsConsumer) await this.totals.interrupt(operatorId);
      await this.forgetEvents(consumer, operatorId);
    }
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

  /**
   * Every script is asked for its share of the page. If that leaves room, those that may have more are asked once
   * again: so a page costs a page, whichever buckets have the events.
   */
  protected async page(request: PageRequest): Promise<EventPage | null> {
    const { consumer, operatorId, atMost } = request;
    const name = `${operatorId} ${consumer}`;
    const from = this.#next.get(name) ?? 0;
    const share = Math.ceil(atMost / scriptsAtOnce);
    const answers: Answer[] = [];
    let left = atMost;
    for (const group of this.groups(operatorId, from)) {
      const asked = group.map((keys) => this.ask(request, keys, share, from));
      answers.push(...(await Promise.all(asked)));
      left = atMost - answers.reduce((sum, { count }) => sum + count, 0);
      if (left <= 0) break;
    }
    const busy = answers.filter(({ count, asked }) => count >= asked);
    const more = Math.ceil(left / busy.length);
    const again = (left <= 0 ? [] : busy).map(async (one) => {
      return [one, await this.ask(request, one.keys, one.asked + more, from)] as const;
    });
    const later = new Map(await Promise.all(again));
    this.#next.set(name, this.after(from, answers.length, Math.ceil(share / leastOf(share))));
    const found = cut(
      answers.flatMap((one) => (later.get(one) ?? one).found),
      atMost,
    );
    if (found.length === 0) return this.nothing(consumer);
    const { decimals } = this.parts;
    const entries = found.flatMap((one) => one.entries);
    const events = entries.map((entry) => decodeEntry(operatorId, entry, decimals));
    const acknowledge = (totals?: TotalsChange) =>
      totals === undefined ? this.acknowledge(request, found) : this.count(request, found, totals);
    return { events, acknowledge };
  }

  /** Adds a page to the totals, and acknowledges what these have: if other events than before the page, those alone. */
  private async count(
    request: PageRequest,
    found: readonly BucketEntries[],
    totals: TotalsChange,
  ): Promise<boolean> {
    const moves = found.map((one) => ({ bucket: one.bucket, from: one.cursor, to: lastId(one) }));
    const elsewhere = await this.totals.add(request.operatorId, moves, totals);
    const counted = found.flatMap((one) => {
      const last = elsewhere === null ? lastId(one) : elsewhere.get(one.bucket);
      return last === undefined || last === one.cursor ? [] : [{ ...one, last }];
    });
    await this.advance(request, counted);
    return elsewhere === null;
  }

  /** Asks a script; of its buckets it serves the one first that is as far from their first as `from` is. */
  private async ask(
    { consumer }: PageRequest,
    keys: BucketKeys,
    atMost: number,
    from: number,
  ): Promise<Answer> {
    const first = 1 + (from % this.parts.bucketsPerScript);
    const call = { ...keys.named, consumer, atMost, least: leastOf(atMost), first };
    const reply = await this.parts.executor.run(scripts.readEvents, call);
    const found = (reply as [number, string, string[]][]).map(([number, cursor, entries]) => {
      return { bucket: keys.first + number - 1, cursor, entries };
    });
    const count = found.reduce((sum, { entries }) => sum + entries.length, 0);
    return { keys, asked: atMost, count, found };
  }

  /** Where the page after one begins that asked so many scripts: with another script, and in each with other buckets. */
  private after(from: number, asked: number, served: number): number {
    const { bucketsPerScript } = this.parts;
    const buckets = asked * bucketsPerScript;
    const step = buckets < bucketCount ? buckets : bucketsPerScript + (served % bucketsPerScript);
    return (from + step) % bucketCount;
  }

  private acknowledge(request: PageRequest, found: readonly BucketEntries[]): Promise<boolean> {
    const read = found.map((one) => ({ ...one, last: lastId(one) }));
    return this.advance(request, read);
  }

  /** The names are read after the page: a consumer that is declared later has no claim to its events. */
  private async advance(
    { operatorId, consumer }: PageRequest,
    read: readonly { readonly bucket: number; readonly cursor: string; readonly last: string }[],
  ): Promise<boolean> {
    const { keys, executor, bucketsPerScript } = this.parts;
    const declared = (await this.declaredConsumers()).join(' ');
    const answers = await Promise.all(
      [...byScript(read, bucketsPerScript).values()].map(async (moves) => {
        const named = moves.map(({ bucket }) => keys.eventsOfBucket(operatorId, bucket));
        const [events, cursors] = [named.map((one) => one.events), named.map((one) => one.cursors)];
        const [before, next] = [moves.map(({ cursor }) => cursor), moves.map(({ last }) => last)];
        const call = { events, cursors, consumer, declared, before, next };
        return (await executor.run(scripts.advanceEvents, call)) === moves.length;
      }),
    );
    return answers.every(Boolean);
  }

  /** Called after an empty read: either there are no events, or no process writes them for this consumer. */
  private async nothing(consumer: string): Promise<null> {
    if ((await this.declaredConsumers()).includes(consumer)) return null;
    await this.parts.gate.confirmStore();
    throw new UnknownConsumerError(consumer);
  }

  private change(command: 'SADD' | 'SREM', names: readonly string[]): Promise<unknown> {
    const { keys, executor } = this.parts;
    const call = { consumers: keys.consumers(), command, names };
    return executor.run(scripts.declareConsumers, call);
  }

  /** The keys of all buckets from one on, as scripts read them, some scripts at once. */
  private *groups(operatorId: string, from = 0): Generator<BucketKeys[]> {
    const { keys, bucketsPerScript } = this.parts;
    const [events, cursors] = [
      keys.ofBuckets(operatorId, 'e'),
      keys.ofBuckets(operatorId, 'cursors'),
    ];
    const start = from - (from % bucketsPerScript);
    let group: BucketKeys[] = [];
    for (let step = 0; step < bucketCount; step += bucketsPerScript) {
      const first = (start + step) % bucketCount;
      const ofScript = (some: readonly string[]) => some.slice(first, first + bucketsPerScript);
      group.push({ first, named: { events: ofScript(events), cursors: ofScript(cursors) } });
      if (group.length < scriptsAtOnce) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  }
}

/** The id of the last entry, or the cursor where none was read. */
function lastId({ entries, cursor }: BucketEntries): string {
  const last = entries.at(-1);
  return last === undefined ? cursor : entryId(last);
}

/** The least share of a bucket of a script that is asked for so many events. */
function leastOf(atMost: number): number {
  return Math.max(1, Math.min(usualShare, Math.floor(atMost / bucketsServed)));
}

/** The first events of some buckets. */
function cut(found: readonly BucketEntries[], most: number): BucketEntries[] {
  let left = most;
  return found.flatMap((one) => {
    const entries = one.entries.slice(0, left);
    left -= entries.length;
    return entries.length === 0 ? [] : [{ ...one, entries }];
  });
}

function byScript<T extends { readonly bucket: number }>(all: readonly T[], buckets: number) {
  const groups = new Map<number, T[]>();
  for (const one of all) {
    const script = Math.floor(one.bucket / buckets);
    groups.set(script, [...(groups.get(script) ?? []), one]);
  }
  return groups;
}
