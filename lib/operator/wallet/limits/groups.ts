import type { Purse } from '../../../protocol/money/purse';
import type { Movement } from '../../gameround';
import type { TakenBack } from '../../gameround/change';
import {
  type Limit,
  type LimitKind,
  limitKinds,
  type LimitRequest,
  type LimitResult,
  type LimitTerms,
  limitWindows,
  maxLimits,
} from '../player/limits';
import type { LimitMoment, ZoneMoment } from './moment';
import { type WindowNumbers, windowsOf } from './windows';

/** What is counted in a window, and what bounds it. */
export interface Counter {
  /** Of the window that the counter is for: {@link WindowNumbers}. It only rises (D13.5). */
  readonly number: number;
  /** In units; below zero where a player has won more than was lost. */
  readonly used: bigint;
  /** In units; null where the player has no limit for this window. */
  readonly most: bigint | null;
}

/** All that is counted of one kind in one currency: for a day, a week and a month, in the order of {@link limitWindows}. */
export interface LimitGroup {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly zone: string;
  readonly counts: 'real' | 'all';
  /**
   * When it was made, in milliseconds since 1970: what moved until then it has not counted. 0 where what moved before was read.
   * Below zero while `used` may be too much: it is then the number of the reading that ends this, with its sign turned (P18).
   */
  readonly since: number;
  readonly counters: readonly Counter[];
}

/** Whether what is used may be too much, since a reading of what moved before has not ended (P18). */
export function isBound({ since }: LimitGroup): boolean {
  return since < 0;
}

/** The zones of a player's groups, each once. */
export function zonesOf(groups: readonly LimitGroup[]): string[] {
  return [...new Set(groups.map(({ zone }) => zone))];
}

/** How many limits the groups hold. */
function countLimits(groups: readonly LimitGroup[]): number {
  return groups.flatMap(({ counters }) => counters).filter(({ most }) => most !== null).length;
}

/** What an order does to the groups of a player; `terms` are those that the limit has, or had. */
type GroupsResult =
  | { readonly kind: 'set'; readonly groups: readonly LimitGroup[]; readonly terms: LimitTerms }
  /** There was nothing to lift. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'otherTerms' };

/** What an order comes to for a player with these accounts and limits. */
export type LimitChange =
  | Exclude<GroupsResult, { readonly kind: 'otherTerms' }>
  | Extract<LimitResult, { readonly kind: 'refused' }>;

/** Decides on an order. */
export function changedBy(
  order: LimitRequest,
  player: { readonly currencies: readonly string[]; readonly groups: readonly LimitGroup[] },
  now: number,
): LimitChange {
  if (!player.currencies.includes(order.currency)) return refusal('noCurrency');
  const result = withLimit(player.groups, order, now);
  if (result.kind === 'otherTerms') return refusal('otherTerms');
  const count = result.kind === 'set' ? countLimits(result.groups) : 0;
  return count > maxLimits ? refusal('tooMany') : result;
}

type LimitRefusal = Extract<LimitResult, { readonly kind: 'refused' }>;

function refusal(reason: LimitRefusal['reason']): LimitRefusal {
  return { kind: 'refused', reason };
}

/** Sets, changes or lifts a limit. A new group counts from 0 on (D13.6). */
function withLimit(groups: readonly LimitGroup[], order: LimitRequest, now: number): GroupsResult {
  const { kind, currency, window, amount } = order;
  const known = groups.find((one) => one.kind === kind && one.currency === currency);
  const at = limitWindows.indexOf(window);
  if (amount === null && (known?.counters[at]?.most ?? null) === null) return { kind: 'nothing' };
  const isOther =
    known !== undefined &&
    amount !== null &&
    ((order.zone ?? known.zone) !== known.zone || (order.counts ?? known.counts) !== known.counts);
  const isAlone = known?.counters.every(({ most }, place) => most === null || place === at) ?? true;
  if (isOther && !isAlone) return { kind: 'otherTerms' };
  const zone = (amount === null ? known?.zone : (order.zone ?? known?.zone)) ?? 'UTC';
  const counts = (amount === null ? known?.counts : (order.counts ?? known?.counts)) ?? 'real';
  const group =
    known === undefined || isOther ? newGroup({ kind, currency, zone, counts }, now) : known;
  const counters = group.counters.map((one, place) =>
    place === at ? { ...one, most: amount } : one,
  );
  const others = groups.filter((one) => one !== known);
  const isLeft = counters.some(({ most }) => most !== null);
  return {
    kind: 'set',
    groups: isLeft ? [...others, { ...group, counters }] : others,
    terms: { kind, currency, window, zone, counts },
  };
}

function newGroup(terms: Omit<LimitGroup, 'counters' | 'since'>, now: number): LimitGroup {
  const counters = windowsOf(terms.zone)
    .numbersOf(now)
    .map((number) => ({ number, used: 0n, most: null }));
  return { ...terms, since: now, counters };
}

/** A movement with what it moved. */
export interface CountedMovement {
  readonly kind: Movement['kind'];
  readonly currency: string;
  /** What a take took, or a give gave, in units; a reversal is counted by what it takes back. */
  readonly purse: Purse;
}

/** The groups at the moment of a commit, with what its voids take back (D13.4). */
export function beginCount(groups: readonly LimitGroup[], moment: LimitMoment): LimitGroup[] {
  return groups.map((group) => {
    const zone = zoneOf(group, moment);
    return takeBack(moveOn(group, zone.now), zone, moment.takenBack);
  });
}

/** Counts a movement; null for a take that would exceed a limit (D13.3). */
export function countMovement(
  groups: readonly LimitGroup[],
  movement: CountedMovement,
): readonly LimitGroup[] | null {
  const { kind, currency, purse } = movement;
  if (kind === 'reverse') return groups;
  const isConcerned = (group: LimitGroup): boolean =>
    group.currency === currency && group.kind !== 'deposit';
  const counted = groups.map((group) => {
    if (!isConcerned(group)) return group;
    const units = unitsIn(group, purse);
    if (kind === 'take') return add(group, units);
    return group.kind === 'loss' ? add(group, -units) : group;
  });
  if (kind === 'take' && counted.some((one) => isConcerned(one) && isOverMost(one))) return null;
  return counted;
}

/** Counts a deposit; null if it would exceed a limit. */
export function countDeposit(
  groups: readonly LimitGroup[],
  deposit: { readonly currency: string; readonly purse: Purse },
  moment: LimitMoment,
): readonly LimitGroup[] | null {
  const counted = groups.map((group) => {
    const { currency, purse } = deposit;
    if (group.kind !== 'deposit' || group.currency !== currency) return group;
    return add(moveOn(group, zoneOf(group, moment).now), unitsIn(group, purse));
  });
  const isOver = (group: LimitGroup): boolean =>
    group.kind === 'deposit' && group.currency === deposit.currency && isOverMost(group);
  return counted.some(isOver) ? null : counted;
}

/** The limits as of a time, in milliseconds since 1970. */
export function limitsOf(groups: readonly LimitGroup[], now: number): Limit[] {
  const limits = groups.flatMap((group): Limit[] => {
    const windows = windowsOf(group.zone);
    const [numbers, ends] = [windows.numbersOf(now), windows.endsOf(now)];
    const { kind, currency, zone, counts } = group;
    return moveOn(group, numbers).counters.flatMap(({ used, most }, at): Limit[] => {
      const [window, resetsAt] = [limitWindows[at], ends[at]];
      if (most === null || window === undefined || resetsAt === undefined) return [];
      const terms = { kind, currency, window, zone, counts };
      const remaining = used >= most ? 0n : most - used;
      const state = {
        used,
        remaining,
        resetsAt,
        ...(isBound(group) && { isBound: true as const }),
      };
      return [{ ...terms, amount: most, ...state }];
    });
  });
  return limits.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
}

function placeOf({ kind, currency, window }: LimitTerms): string {
  return `${limitKinds.indexOf(kind)} ${currency} ${limitWindows.indexOf(window)}`;
}

function zoneOf({ zone }: LimitGroup, { zones }: LimitMoment): ZoneMoment {
  const found = zones.find((one) => one.zone === zone);
  if (found === undefined) throw new Error(`The moment of a commit lacks the zone ${zone}.`);
  return found;
}

/** A window that has begun counts from 0; a clock that is behind counts into the one that had begun before (D13.5). */
function moveOn(group: LimitGroup, now: WindowNumbers): LimitGroup {
  const counters = group.counters.map((counter, at) => {
    const number = now[at] ?? counter.number;
    return number > counter.number ? { ...counter, number, used: 0n } : counter;
  });
  return { ...group, counters };
}

function takeBack(
  group: LimitGroup,
  { takenBack: times }: ZoneMoment,
  takenBack: readonly TakenBack[],
): LimitGroup {
  if (group.kind === 'deposit') return group;
  const counters = group.counters.map((counter, at) => {
    const back = takenBack.filter(
      ({ currency, at: movedAt }, place) =>
        currency === group.currency &&
        movedAt > group.since &&
        times[place]?.[at] === counter.number,
    );
    const units = back.reduce((sum, { debits, credits }) => {
      const given = group.kind === 'loss' ? unitsIn(group, credits) : 0n;
      return sum + given - unitsIn(group, debits);
    }, 0n);
    return withUsed(counter, counter.used + units);
  });
  return { ...group, counters };
}

function add(group: LimitGroup, units: bigint): LimitGroup {
  const counters = group.counters.map((counter) => withUsed(counter, counter.used + units));
  return { ...group, counters };
}

/** Beyond what a double is exact for, a counter stays where it is: no limit is that high. */
const mostUsed = 9_007_199_254_740_991n;

function withUsed(counter: Counter, used: bigint): Counter {
  if (used > mostUsed) return { ...counter, used: mostUsed };
  return { ...counter, used: used < -mostUsed ? -mostUsed : used };
}

function isOverMost({ counters }: LimitGroup): boolean {
  return counters.some(({ used, most }) => most !== null && used > most);
}

function unitsIn({ counts }: LimitGroup, { real, bonus }: Purse): bigint {
  return counts === 'all' ? real + bonus : real;
}
