import {
  createRepairEntry,
  type RepairEntry,
  type RepairList,
  type RepairsPageResult,
  type RepairsQuery,
} from '../../wallet';
import { checkIdentifiers, checkRoundsQuery } from '../check-input';
import { type RepairPlace, repairsCursors, writePlace } from '../lists/repair-places';
import type { StoredRounds } from './stored-rounds';

/** The repairs in a memory store. A page sorts all of the operator's. */
export class Repairs implements RepairList {
  /** `store` names the store in cursors. */
  constructor(
    private readonly stored: StoredRounds,
    private readonly store: string,
  ) {}

  async list(operatorId: string, query?: RepairsQuery): Promise<RepairsPageResult> {
    checkIdentifiers({ operatorId });
    const { cursor, limit } = checkRoundsQuery(query);
    const scope = { store: this.store, operatorId };
    const before = repairsCursors.placeIn(scope, repairsCursors.parse(cursor));
    const all = [...entriesOf(this.stored, operatorId)].toSorted((one, other) =>
      one.text < other.text ? 1 : -1,
    );
    const last = before === null ? null : writePlace(before);
    const wanted = last === null ? all : all.filter(({ text }) => text < last);
    const page = wanted.slice(0, limit);
    const end = page.at(-1);
    const isMore = wanted.length > limit && end !== undefined;
    return {
      kind: 'known',
      repairs: page.map(({ entry }) => entry),
      next: isMore ? repairsCursors.write(scope, end.place) : null,
    };
  }
}

interface Listed {
  readonly entry: RepairEntry;
  readonly place: RepairPlace;
  readonly text: string;
}

function* entriesOf(stored: StoredRounds, operatorId: string): Generator<Listed> {
  for (const { key, head } of stored.repaired(operatorId)) {
    for (const { id, proposedAt: at } of head.repairs?.list ?? []) {
      const entry = createRepairEntry(key, head, id);
      const place = { at, playerId: key.playerId, gameRound: key.gameRound, id };
      if (entry !== null) yield { entry, place, text: writePlace(place) };
    }
  }
}
