import type { ConsumerLag } from '../../wallet';
import { piecesOf } from '../../../platform/pieces';
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';

/** What the lag of consumers needs of a store. */
export interface EventLagParts {
  readonly executor: Executor;
  readonly keys: Keys;
  /** Buckets that one script may read, and one that only lists: the slots of a cluster allow one. */
  readonly bucketsPerScript: number;
  readonly bucketsPerList: number;
}

/** Scripts that read buckets at once. */
const scriptsAtOnce = 16;

/** What each consumer has not acknowledged of an operator's events. */
export async function lagsOf(
  parts: EventLagParts,
  operatorId: string,
  consumers: readonly string[],
): Promise<ConsumerLag[]> {
  const buckets = await bucketsWithEvents(parts, operatorId);
  return Promise.all(consumers.map((consumer) => lagOf(parts, consumer, buckets)));
}

/** The keys of a bucket. */
type BucketKeys = ReturnType<Keys['eventsOfBucket']>;

/** Most buckets have no events: only these are counted. */
async function bucketsWithEvents(
  { executor, keys, bucketsPerList }: EventLagParts,
  operatorId: string,
): Promise<BucketKeys[]> {
  const calls = piecesOf(keys.ofBuckets(operatorId, 'e'), bucketsPerList);
  const found: BucketKeys[] = [];
  for (const some of piecesOf([...calls.entries()], scriptsAtOnce)) {
    const replies = some.map(async ([at, events]) => {
      const places = String(await executor.run(scripts.findEvents, { events })).match(/\d+/g) ?? [];
      return places.map((place) => at * bucketsPerList + Number(place) - 1);
    });
    for (const bucket of (await Promise.all(replies)).flat()) {
      found.push(keys.eventsOfBucket(operatorId, bucket));
    }
  }
  return found;
}

async function lagOf(
  { executor, bucketsPerScript }: EventLagParts,
  consumer: string,
  buckets: readonly BucketKeys[],
): Promise<ConsumerLag> {
  let waiting = 0;
  let oldestAt: number | null = null;
  for (const calls of piecesOf(piecesOf(buckets, bucketsPerScript), scriptsAtOnce)) {
    const replies = await Promise.all(
      calls.map((some) => {
        const events = some.map((one) => one.events);
        const cursors = some.map((one) => one.cursors);
        return executor.run(scripts.countEvents, { events, cursors, consumer });
      }),
    );
    for (const [count, oldest] of replies as [number, string][]) {
      waiting += count;
      if (oldest !== '') oldestAt = Math.min(oldestAt ?? Number(oldest), Number(oldest));
    }
  }
  return { consumer, waiting, oldestAt };
}
