import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import { piecesOf } from '../../../platform/pieces';

/** Where the sets of buckets are read. */
interface LatestMembersParts {
  readonly executor: Executor;
  /** Buckets that one script may list: the slots of a cluster allow one. */
  readonly bucketsPerList: number;
}

/** Scripts in flight at once, and members that are asked of each bucket at first and then. */
const [scriptsAtOnce, membersAtFirst, membersAtOnce] = [64, 4, 100];

/** The members of a bucket that were read and not yet given, the latest first. */
interface BucketQueue {
  readonly key: string;
  members: readonly string[];
  /** Whether the bucket may have more after them. */
  isMore: boolean;
}

/**
 * The members of the sets of several buckets, which each bucket has in order, together: the latest of all first.
 * @param from the upper bound, as ZRANGE BYLEX takes it
 */
export async function* latestMembers(
  parts: LatestMembersParts,
  keys: readonly string[],
  from: string,
): AsyncGenerator<string> {
  const queues = await queuesOf(parts, keys, from);
  for (;;) {
    const queue = latestOf(queues);
    const [member, ...rest] = queue?.members ?? [];
    if (queue === null || member === undefined) return;
    queue.members = rest;
    if (rest.length === 0 && queue.isMore) {
      const [members = []] = await read(parts, [queue.key], `(${member}`, membersAtOnce);
      queue.members = members;
      queue.isMore = members.length === membersAtOnce;
    }
    yield member;
  }
}

/** The latest members of each bucket that has any. */
async function queuesOf(
  parts: LatestMembersParts,
  keys: readonly string[],
  from: string,
): Promise<BucketQueue[]> {
  const queues: BucketQueue[] = [];
  const calls = piecesOf(keys, parts.bucketsPerList);
  for (const group of piecesOf(calls, scriptsAtOnce)) {
    const replies = await Promise.all(
      group.map((named) => read(parts, named, from, membersAtFirst)),
    );
    for (const [at, named] of group.entries()) {
      for (const [index, members] of (replies[at] ?? []).entries()) {
        if (members.length === 0) continue;
        const isMore = members.length === membersAtFirst;
        queues.push({ key: named[index] ?? '', members, isMore });
      }
    }
  }
  return queues;
}

async function read(
  { executor }: LatestMembersParts,
  sets: readonly string[],
  from: string,
  atMost: number,
): Promise<string[][]> {
  return (await executor.run(scripts.readLatest, { sets, from, atMost })) as string[][];
}

/** The queue with the latest member at its front; null if all are empty. */
function latestOf(queues: readonly BucketQueue[]): BucketQueue | null {
  let latest: BucketQueue | null = null;
  for (const queue of queues) {
    const [member] = queue.members;
    if (member === undefined) continue;
    if (latest === null || member > (latest.members[0] ?? '')) latest = queue;
  }
  return latest;
}
