import {
  createRepairEntry,
  type RepairList,
  type RepairsPageResult,
  type RepairsQuery,
} from '../../../wallet';
import { checkIdentifiers, checkRoundsQuery } from '../../check-input';
import type { GivenCursor } from '../../lists/cursor';
import { type RepairPlace, repairsCursors } from '../../lists/repair-places';
import { decodeRepairs } from '../../codec/repairs';
import { unexpected } from '../connections/answers';
import type { Executor, Line } from '../connections/executor';
import { answered } from './history';
import { functions } from '../schema/functions';

/** The repairs of an operator, from the table that commits write them to. */
export class Repairs implements RepairList {
  constructor(private readonly executor: Executor) {}

  list(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult> {
    return answered(async () => {
      checkIdentifiers({ operatorId });
      const { cursor, limit } = checkRoundsQuery(query);
      return this.readPage(operatorId, repairsCursors.parse(cursor), limit);
    });
  }

  private async readPage(
    operatorId: string,
    cursor: GivenCursor<RepairPlace> | null,
    limit: number,
  ): Promise<RepairsPageResult> {
    const before = cursor?.place;
    const [first, ...rest] = await this.executor.run(functions.listRepairs, {
      of_operator: operatorId,
      before_at: before?.at ?? null,
      before_player: before?.playerId ?? '',
      before_round: before?.gameRound ?? '',
      before_repair: before?.id ?? '',
      at_most: limit + 1,
    });
    const [kind, store] = first ?? [];
    if (kind !== 'store' || typeof store !== 'string') throw unexpected();
    const scope = { store, operatorId };
    repairsCursors.placeIn(scope, cursor);
    const listed = rest.slice(0, limit).map((line) => readLine(operatorId, line));
    const last = listed.at(-1);
    const isMore = rest.length > limit && last !== undefined;
    return {
      kind: 'known',
      repairs: listed.flatMap(({ entry }) => entry ?? []),
      next: isMore ? repairsCursors.write(scope, last.place) : null,
    };
  }
}

/** A line of list_repairs. */
function readLine(operatorId: string, line: Line) {
  const [, at, playerId, gameRound, id, version, gameCode, repairs] = line;
  const place = {
    at: Number(at),
    playerId: playerId ?? '',
    gameRound: gameRound ?? '',
    id: id ?? '',
  };
  const head = {
    version: Number(version),
    gameCode: gameCode ?? null,
    repairs: decodeRepairs(repairs ?? ''),
  };
  const round = { operatorId, playerId: place.playerId, gameRound: place.gameRound };
  return { place, entry: createRepairEntry(round, head, place.id) };
}
