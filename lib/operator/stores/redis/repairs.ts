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
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import { latestMembers } from './latest-members';
import { piecesOf } from '../../../platform/pieces';

/** What the list of repairs needs of its store. */
interface RepairsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  /** Buckets that one script may list: the slots of a cluster allow one. */
  readonly bucketsPerList: number;
}

/** Heads that one script reads. */
const headsAtOnce = 25;

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
    const sets = this.parts.keys.ofBuckets(operatorId, 'repairs');
    const from = before === null ? '+' : `(${writePlace(before)}`;
    const places: RepairPlace[] = [];
    for await (const member of latestMembers(this.parts, sets, from)) {
      const place = readPlace(member);
      if (place === null) throw new Error('Redis holds a repair that cannot be read.');
      places.push(place);
      if (places.length === atMost) break;
    }
    return places;
  }

  /** The repairs at these places, in their order. */
  private async entries(
    operatorId: string,
    places: readonly RepairPlace[],
  ): Promise<RepairEntry[]> {
    const { keys, executor, bucketsPerList } = this.parts;
    const rounds = new Map<string, RoundKey>();
    for (const { playerId, gameRound } of places) {
      const round = { operatorId, playerId, gameRound };
      rounds.set(keys.round(round), round);
    }
    const bySlot = new Map<string, string[]>();
    for (const [key, round] of rounds) {
      const slot = bucketsPerList === 1 ? keys.repairs(round) : '';
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
