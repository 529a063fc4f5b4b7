import type { RoundChange } from '../../gameround';
import {
  type Act,
  type ActContent,
  type ActList,
  type ActsPageResult,
  type ActsQuery,
  type NoteActResult,
  type NotedAct,
  type PersonAct,
  type PlayerKey,
  repairAct,
  repairSteppedBy,
  type RoundKey,
} from '../../wallet';
import type { CheckedAct, CheckedOrder, CheckedPlayer } from '../check-input';
import {
  actsCursors,
  type ActPlace,
  checkActsQuery,
  fitsQuery,
  keyOfNumber,
  keyOfRepair,
  prefixes,
  writeActPlace,
} from '../lists/act-places';
import { checkNoted, decodeNoted, encodeNoted, isNotedKey, placeOfNoted } from '../codec/noted-act';
import { openingReference } from '../../wallet/player/cash';

interface Listed {
  readonly act: PersonAct;
  readonly place: ActPlace;
  readonly text: string;
}

/** The acts of people in a memory store. A page sorts all of the operator's. */
export class Acts implements ActList {
  private readonly all = new Map<string, Listed[]>();

  /** `store` names the store in cursors. */
  constructor(private readonly store: string) {}

  async list(operatorId: string, query?: ActsQuery): Promise<ActsPageResult> {
    const checked = checkActsQuery(operatorId, query);
    const { cursor, limit } = checked;
    const scope = { store: this.store, operatorId, query: checked };
    const before = actsCursors.placeIn(scope, actsCursors.parse(cursor));
    const last = before === null ? null : writeActPlace(before);
    const wanted = (this.all.get(operatorId) ?? [])
      .filter(({ act, text }) => (last === null || text < last) && fitsQuery(act, checked))
      .toSorted((one, other) => (one.text < other.text ? 1 : -1));
    const page = wanted.slice(0, limit);
    const end = page.at(-1);
    const isMore = wanted.length > limit && end !== undefined;
    const next = isMore ? actsCursors.write(scope, end.place) : null;
    return { kind: 'known', acts: page.map(({ act }) => act), next, since: null };
  }

  async note(act: NotedAct): Promise<NoteActResult> {
    checkNoted(act);
    const place = placeOfNoted(act);
    // A copy, without members that acts do not have.
    this.addAt(decodeNoted(act.operatorId, place, encodeNoted(act)), place);
    return { kind: 'noted' };
  }

  /** An account was opened: an act for each of its balances. */
  opened(player: CheckedPlayer, at: number): void {
    const { currency, real, bonus } = player;
    for (const balance of ['real', 'bonus'] as const) {
      const units = balance === 'real' ? real : bonus;
      if (units === null) continue;
      const reference = openingReference(currency, balance);
      const content = {
        type: 'cash',
        kind: 'opening',
        reference,
        currency,
        balance,
        units,
      } as const;
      this.listed(player, content, at, `${prefixes.cash}${reference}`);
    }
  }

  /** Cash was moved. */
  moved(order: CheckedOrder, at: number): void {
    const { kind, reference, currency, balance, units } = order;
    const content = { type: 'cash', kind, reference, currency, balance, units } as const;
    this.listed(order, content, at, `${prefixes.cash}${reference}`);
  }

  /** A player was blocked or a limit was set: the number is that of its record. */
  restricted(player: PlayerKey, act: Act, at: number, number: number): void {
    const { by, reason } = act;
    if (act.type === 'cash') return;
    const content: ActContent =
      act.type === 'block'
        ? { type: act.type, blocked: act.blocked, until: act.until }
        : { type: act.type, limit: act.limit };
    this.listed({ ...player, by, reason }, content, at, keyOfNumber(act.type, number));
  }

  /** A change of a round was committed. */
  committed(round: RoundKey, { before, after }: RoundChange): void {
    for (const { repair, step } of repairSteppedBy(before.repairs, after.repairs)) {
      const act = repairAct(round, repair, step);
      if (act !== null) this.add(act, keyOfRepair(round.gameRound, repair.id, step));
    }
  }

  private listed(
    { operatorId, playerId, by, reason }: PlayerKey & CheckedAct,
    content: ActContent,
    at: number,
    key: string,
  ): void {
    if (by !== null) this.add({ operatorId, playerId, at, by, reason, ...content }, key);
  }

  private add(act: Exclude<PersonAct, NotedAct>, key: string): void {
    const { playerId, at } = act;
    this.addAt(act, { at, playerId, key });
  }

  /** Keeps the first act of a place. */
  private addAt(act: PersonAct, place: ActPlace): void {
    const { operatorId } = act;
    const text = writeActPlace(place);
    const listed = this.all.get(operatorId) ?? [];
    if (isNotedKey(place.key) && listed.some((one) => one.text === text)) return;
    listed.push({ act, place, text });
    this.all.set(operatorId, listed);
  }
}
