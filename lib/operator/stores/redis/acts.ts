import type {
  ActList,
  ActsPageResult,
  ActsQuery,
  NoteActResult,
  NotedAct,
  PersonAct,
} from '../../wallet';
import type { Clock } from '../../../platform';
import {
  actsCursors,
  type ActPlace,
  checkActsQuery,
  type CheckedActsQuery,
  fitsQuery,
  writeActPlace,
  writePlaceTime,
} from '../lists/act-places';
import { checkNoted, encodeNoted, placeOfNoted } from '../codec/noted-act';
import { orUnknown } from '../or-unknown';
import { decodePersonAct } from './codec/act';
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { DataSettings } from './connection/data-settings';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import { latestMembers } from './latest-members';

/** What the list of acts needs of its store. */
interface ActsParts {
  readonly gate: Gate;
  readonly dataSettings: DataSettings;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly bucketsPerList: number;
}

/** Acts that one request looks at. */
const mostRead = 2000;

/** The acts of people: every bucket keeps its own in order, and a page takes the latest of all. */
export class Acts implements ActList {
  constructor(private readonly parts: ActsParts) {}

  async list(operatorId: string, query?: ActsQuery): Promise<ActsPageResult> {
    const checked = checkActsQuery(operatorId, query);
    const given = actsCursors.parse(checked.cursor);
    const { gate, dataSettings, clock } = this.parts;
    const opened = await orUnknown(async () => {
      if (!gate.isOpen) await gate.passed();
      return { kind: 'open' } as const;
    });
    if (opened.kind !== 'open') return opened;
    const scope = { store: `redis ${gate.storeId}`, operatorId, query: checked };
    const before = actsCursors.placeIn(scope, given);
    return orUnknown(async () => {
      const { acts, next } = await this.read(operatorId, checked, before);
      if (acts.length === 0 && before === null) await gate.confirmStore();
      const cursor = next === null ? null : actsCursors.write(scope, next);
      return {
        kind: 'known',
        acts,
        next: cursor,
        since: dataSettings.actsSince ?? clock.now(),
      } as const;
    });
  }

  async note(act: NotedAct): Promise<NoteActResult> {
    checkNoted(act);
    const { operatorId, playerId } = act;
    const { keys, executor } = this.parts;
    const acts =
      playerId === null ? keys.actsOfNobody(operatorId) : keys.acts({ operatorId, playerId });
    const member = `${writeActPlace(placeOfNoted(act))} ${encodeNoted(act)}`;
    return orUnknown(async () => {
      await executor.run(scripts.noteAct, { acts, member });
      return { kind: 'noted' } as const;
    });
  }

  private async read(
    operatorId: string,
    query: CheckedActsQuery,
    before: ActPlace | null,
  ): Promise<{ readonly acts: readonly PersonAct[]; readonly next: ActPlace | null }> {
    const { limit, from } = query;
    const acts: PersonAct[] = [];
    let [last, looked]: [ActPlace | null, number] = [null, 0];
    const start = startOf(query, before);
    for await (const member of latestMembers(this.parts, this.sets(operatorId, query), start)) {
      const { act, place } = decodePersonAct(operatorId, member);
      if (from !== null && act.at < from) break;
      if (looked === mostRead) return { acts, next: last };
      looked += 1;
      if (fitsQuery(act, query)) {
        if (acts.length === limit) return { acts, next: last };
        acts.push(act);
      }
      last = place;
    }
    return { acts, next: null };
  }

  private sets(operatorId: string, { playerId, kind }: CheckedActsQuery): readonly string[] {
    const { keys } = this.parts;
    if (kind === 'rights') return [keys.actsOfNobody(operatorId)];
    if (playerId !== null) return [keys.acts({ operatorId, playerId })];
    return keys.ofBuckets(operatorId, 'acts');
  }
}

/** The upper bound of the members, as ZRANGE BYLEX takes it. A space is before whatever is in a place. */
function startOf({ to }: CheckedActsQuery, before: ActPlace | null): string {
  if (before !== null) return `(${writeActPlace(before)} `;
  return to === null ? '+' : `(${writePlaceTime(to)}`;
}
