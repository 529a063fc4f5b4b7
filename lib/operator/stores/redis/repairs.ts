import {
  createRepairEntry,
  type RepairEntry,
  type RepairList,
  type RepairsPageResult,
  type RepairsQuery,
  type RoundKey,
} from '../../wallet';
import type { RoundHead } from '../../gameround';
import { checkIdentifiers, checkRoundsQuery } from '../check-input';
import { readPlace, type RepairPlace, repairsCursors, writePlace } from '../lists/repair-places';
import { orUnknown } from '../or-unknown';
import { decodeHead } from './codec/head';
import { bucketCount, type Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';

/** What the list of repairs needs of its store. */
interface RepairsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  /** Buckets that one script may read: the slots of a cluster allow one. */
  readonly bucketsPerScript: number;
}

/** Scripts in flight at once, repairs that are asked of each bucket at first, and heads read by one script. */
const [scriptsAtOnce, membersAtFirst, headsAtOnce] = [64, 4, 25];

/** The repairs of a bucket that were read and not yet listed, the latest first. */
interface BucketQueue {
  readonly key: string;
  members: readonly string[];
  /** Whether the bucket may have more after them. */
  isMore: boolean;
}

/** The repairs of an operator: every bucket keeps its own in order, and a page takes the latest of all. */
export class Repairs implements RepairList {
  constructor(private readonly parts: RepairsParts) {}

  async list(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult> {
    checkIdentifiers({ operatorId });
    const { cursor, limit } = checkRoundsQuery(query);
    const given = repairsCursors.parse(cursor);
    const { gate } = this.parts;
    const opened = await orUnknown(async () => {
      if (!gate.isOpen) await gate.passed();
      return { kind: 'open' } as const;
    });
    if (opened.kind !== 'open') return opened;
    const scope = { store: `redis ${gate.storeId}`, operatorId };
    const before = repairsCursors.placeIn(scope, given);
    return orUnknown(async () => {
      const places = await this.places(operatorId, before, limit + 1);
      if (places.length === 0 && before === null) await gate.confirmStore();
      const listed = places.slice(0, limit);
      const last = listed.at(-1);
      const isMore = places.length > limit && last !== undefined;
      const next = isMore ? repairsCursors.write(scope, last) : null;
      return { kind: 'known', repairs: await this.entries(operatorId, listed), next } as const;
    });
  }

  /** The places before one of them, the latest first. */
  private async places(
    operatorId: string,
    before: RepairPlace | null,
    atMost: number,
  ): Promise<RepairPlace[]> {
    const from = before === null ? '+' : `(${writePlace(before)}`;
    const queues = await this.queues(operatorId, from);
    const places: RepairPlace[] = [];
    while (places.length < atMost) {
      const queue = latestOf(queues);
      const [member, ...rest] = queue?.members ?? [];
      if (queue === null || member === undefined) break;
      queue.members = rest;
      if (rest.length === 0 && queue.isMore) await this.refill(queue, `(${member}`, atMost);
      const place = readPlace(member);
      if (place === null) throw new Error('Redis holds a repair that cannot be read.');
      places.push(place);
    }
    return places;
  }

  /** The latest repairs of each bucket that has any. */
  private async queues(operatorId: string, from: string): Promise<BucketQueue[]> {
    const { keys, bucketsPerScript } = this.parts;
    const all = Array.from({ length: bucketCount }, (_, at) =>
      keys.repairsOfBucket(operatorId, at),
    );
    const queues: BucketQueue[] = [];
    for (const group of piecesOf(piecesOf(all, bucketsPerScript), scriptsAtOnce)) {
      const replies = await Promise.all(
        group.map((named) => this.members(named, from, membersAtFirst)),
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

  private async refill(queue: BucketQueue, from: string, atMost: number): Promise<void> {
    const [members = []] = await this.members([queue.key], from, atMost);
    queue.members = members;
    queue.isMore = members.length === atMost;
  }

  private async members(
    named: readonly string[],
    from: string,
    atMost: number,
  ): Promise<string[][]> {
    const { executor } = this.parts;
    const call = { repairs: named, from, atMost };
    return (await executor.run(scripts.listRepairs, call)) as string[][];
  }

  /** The repairs at these places, in their order. */
  private async entries(
    operatorId: string,
    places: readonly RepairPlace[],
  ): Promise<RepairEntry[]> {
    const { keys, executor, bucketsPerScript } = this.parts;
    const rounds = new Map<string, RoundKey>();
    for (const { playerId, gameRound } of places) {
      const round = { operatorId, playerId, gameRound };
      rounds.set(keys.round(round), round);
    }
    const bySlot = new Map<string, string[]>();
    for (const [key, round] of rounds) {
      const slot = bucketsPerScript === 1 ? keys.repairs(round) : '';
      bySlot.set(slot, [...(bySlot.get(slot) ?? []), key]);
    }
    const pieces = [...bySlot.values()].flatMap((named) => piecesOf(named, headsAtOnce));
    const heads = new Map<string, RoundHead>();
    await Promise.all(
      pieces.map(async (named) => {
        const replies = await executor.run(scripts.readRepaired, { rounds: named });
        for (const [at, [text, gameCode]] of (replies as (string | null)[][]).entries()) {
          heads.set(named[at] ?? '', decodeHead(text ?? null, gameCode ?? null, null));
        }
      }),
    );
    return places.flatMap(({ playerId, gameRound, id }) => {
      const round = { operatorId, playerId, gameRound };
      const head = heads.get(keys.round(round));
      return (head && createRepairEntry(round, head, id)) ?? [];
    });
  }
}

/** The queue with the latest proposal at its front; null if all are empty. */
function latestOf(queues: readonly BucketQueue[]): BucketQueue | null {
  let latest: BucketQueue | null = null;
  for (const queue of queues) {
    const [member] = queue.members;
    if (member === undefined) continue;
    if (latest === null || member > (latest.members[0] ?? '')) latest = queue;
  }
  return latest;
}

function piecesOf<T>(list: readonly T[], size: number): T[][] {
  const pieces: T[][] = [];
  for (let at = 0; at < list.length; at += size) pieces.push(list.slice(at, at + size));
  return pieces;
}
