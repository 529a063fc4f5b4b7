import {
  type ActContent,
  type ActList,
  type ActsPageResult,
  type ActsQuery,
  cashKinds,
  type NoteActResult,
  type NotedAct,
  type PersonAct,
  type PlayerKey,
  repairAct,
  repairSteps,
} from '../../../wallet';
import { nameIn, textOf, unreadable } from '../../codec/record';
import { decodeChangedTerms } from '../../codec/limits';
import { checkNoted, decodeNoted, encodeNoted, placeOfNoted } from '../../codec/noted-act';
import { decodeRepair } from '../../codec/repairs';
import {
  actsCursors,
  type ActPlace,
  checkActsQuery,
  type CheckedActsQuery,
} from '../../lists/act-places';
import { orUnknown } from '../../or-unknown';
import { unexpected } from '../connections/answers';
import type { Line, WritingParts } from '../connections/executor';
import { functions } from '../schema/functions';
import { answered } from './history';

/** The acts of people, from the tables that keep them. Places count microseconds. */
export class Acts implements ActList {
  constructor(private readonly parts: WritingParts) {}

  list(operatorId: string, query?: ActsQuery): Promise<ActsPageResult> {
    return answered(async () => {
      const checked = checkActsQuery(operatorId, query);
      const given = actsCursors.parse(checked.cursor);
      const [first, ...rest] = await this.read(operatorId, checked, given?.place ?? null);
      const [kind, store] = first ?? [];
      if (kind !== 'store' || typeof store !== 'string') throw unexpected();
      const scope = { store, operatorId, query: checked };
      actsCursors.placeIn(scope, given);
      const page = rest.slice(0, checked.limit);
      const last = page.at(-1);
      const isMore = rest.length > page.length && last !== undefined;
      return {
        kind: 'known',
        acts: page.map((line) => readLine(operatorId, line)),
        next: isMore ? actsCursors.write(scope, placeOf(last)) : null,
        since: null,
      };
    });
  }

  async note(act: NotedAct): Promise<NoteActResult> {
    checkNoted(act);
    const { executor, writing } = this.parts;
    const { operatorId, by } = act;
    const { at, playerId, key } = placeOfNoted(act);
    return orUnknown(async () => {
      const [line] = await executor.run(functions.noteAct, {
        ...writing,
        of_operator: operatorId,
        of_player: playerId,
        at,
        of_key: key,
        of_actor: by.id,
        content: encodeNoted(act),
      });
      if (line?.[0] !== 'done') throw unexpected();
      return { kind: 'noted' } as const;
    });
  }

  private async read(
    operatorId: string,
    { playerId, person, kind, from, to, limit }: CheckedActsQuery,
    before: ActPlace | null,
  ): Promise<Line[]> {
    const until = to === null ? null : to * 1000;
    return this.parts.executor.run(functions.listActs, {
      of_operator: operatorId,
      of_player: playerId,
      of_actor: person,
      of_kind: kind,
      from_us: from === null ? null : from * 1000,
      before_us: before?.at ?? until,
      before_player: before?.playerId ?? '',
      before_key: before?.key ?? '',
      at_most: limit + 1,
    });
  }
}

function placeOf([, at, playerId, key]: Line): ActPlace {
  return { at: Number(at), playerId: textOf(playerId, 'player'), key: textOf(key, 'key') };
}

/** A line of list_acts. */
function readLine(operatorId: string, line: Line): PersonAct {
  const [type, at, playerId, key, actor, name, reason, ...content] = line;
  const player = { operatorId, playerId: textOf(playerId, 'player') };
  const when = Math.floor(Number(textOf(at, 'time')) / 1000);
  if (type === 'noted') {
    const place = { at: when, playerId: player.playerId, key: textOf(key, 'key') };
    return decodeNoted(operatorId, place, textOf(content[0], 'noted act'));
  }
  if (type === 'repair') return readRepair(player, content);
  const by = { id: textOf(actor, 'actor'), name: name ?? null };
  return { ...player, at: when, by, reason: reason ?? null, ...readContent(type, content) };
}

function readRepair(player: PlayerKey, [step, gameRound, repair]: Line): PersonAct {
  const known = nameIn(repairSteps, step, 'step of a repair');
  const round = { ...player, gameRound: textOf(gameRound, 'round') };
  const act = repairAct(round, decodeRepair(JSON.parse(textOf(repair, 'repair'))), known);
  if (act === null) throw unreadable('decision of a repair', repair);
  return act;
}

function readContent(type: unknown, content: Line): ActContent {
  const [first, second, units, currency, balance] = content;
  if (type === 'block') {
    const until = typeof second === 'string' ? Number(second) : null;
    return { type, blocked: first === 'true', until };
  }
  if (type === 'limit') return { type, limit: decodeChangedTerms(textOf(first, 'limit')) };
  if (type !== 'cash') throw unreadable('kind of an act', type);
  return {
    type,
    kind: nameIn(cashKinds, second, 'kind of cash'),
    reference: textOf(first, 'reference'),
    currency: textOf(currency, 'currency'),
    balance: nameIn(balances, balance, 'balance'),
    units: BigInt(textOf(units, 'amount')),
  };
}

const balances = ['real', 'bonus'] as const;
