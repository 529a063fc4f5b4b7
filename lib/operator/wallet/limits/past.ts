import { addPurses, emptyPurse, isEmptyPurse, type Purse } from '../../../protocol/money/purse';
import type { RoundView } from '../../gameround';
import type { TakenBack } from '../../gameround/change';
import { type LimitRequest, limitWindows } from '../player/limits';
import { isBound, type LimitGroup } from './groups';
import { eachOf } from './moment';
import { windowsOf } from './windows';

/** Money that moved once and stayed, as limits count it: in the window of its time. */
export type PastMoney = Pick<TakenBack, 'currency' | 'at' | 'debits' | 'credits'>;

/** The windows of a group that have no counter to rely on, and are counted from what moved in them (P18). */
export interface PastWindows {
  readonly group: LimitGroup;
  /** Their places in {@link limitWindows}, with the number that each has or begins. */
  readonly windows: readonly { readonly place: number; readonly number: number }[];
  /** When the first of them began, in milliseconds since 1970. */
  readonly from: number;
}

/** Since when a group counts whose windows were read: from the beginning of time, so voids take back what was read. */
const always = 0;

/**
 * What an order must read before it can be set: nothing where it changes a limit that counts already. A window without a limit
 * has a counter that may lack what moved before the group was made, so it is read (D13.6).
 */
export function pastWindowsOf(
  { kind, currency, window, amount }: LimitRequest,
  before: readonly LimitGroup[],
  after: readonly LimitGroup[],
  now: number,
): PastWindows | null {
  const isOwn = (one: LimitGroup): boolean => one.kind === kind && one.currency === currency;
  const group = after.find(isOwn);
  if (amount === null || group === undefined) return null;
  const known = before.find(
    (one) => isOwn(one) && one.zone === group.zone && one.counts === group.counts,
  );
  const isLimited = (place: number): boolean => (known?.counters[place]?.most ?? null) !== null;
  const isCounted = known === undefined || !isBound(known);
  if (isCounted && isLimited(limitWindows.indexOf(window))) return null;
  const zone = windowsOf(group.zone);
  const [numbers, starts] = [zone.numbersOf(now), zone.startsOf(now)];
  const isRead = (place: number): boolean => known?.since === always && isLimited(place);
  const windows = group.counters.flatMap((counter, place) => {
    if (counter.most === null || isRead(place)) return [];
    return [{ place, number: Math.max(counter.number, numbers[place] ?? 0) }];
  });
  return { group, windows, from: Math.min(...windows.map(({ place }) => starts[place] ?? now)) };
}

/** What money counts in each of these windows, in their order. */
export function countIn({ group, windows }: PastWindows, moved: Iterable<PastMoney>): bigint[] {
  const zone = windowsOf(group.zone);
  const used = windows.map(() => 0n);
  for (const one of moved) {
    if (one.currency !== group.currency) continue;
    const [units, numbers] = [unitsOf(group, one), zone.numbersOf(one.at)];
    for (const [at, { place, number }] of windows.entries()) {
      if ((numbers[place] ?? 0) >= number) used[at] = (used[at] ?? 0n) + units;
    }
  }
  return used;
}

/** What {@link countIn} is at most, whatever is voided: without what was given. */
export function boundIn(wanted: PastWindows, moved: readonly PastMoney[]): bigint[] {
  return countIn(
    wanted,
    moved.map((one) => ({ ...one, credits: emptyPurse })),
  );
}

/**
 * The groups, with what these windows have used, in their order.
 * @param reading above zero where that is a bound, until this reading has ended
 */
export function withPast(
  groups: readonly LimitGroup[],
  { group, windows }: PastWindows,
  used: readonly bigint[],
  reading = 0,
): LimitGroup[] {
  const counters = group.counters.map((counter, place) => {
    const at = windows.findIndex((one) => one.place === place);
    const number = windows[at]?.number;
    return number === undefined ? counter : { ...counter, number, used: used[at] ?? 0n };
  });
  const since = always - reading;
  return groups.map((one) => (one === group ? { ...group, counters, since } : one));
}

/** What money counts for a group: a deposit is its debit. */
function unitsOf({ kind, counts }: LimitGroup, { debits, credits }: PastMoney): bigint {
  const of = ({ real, bonus }: Purse): bigint => (counts === 'all' ? real + bonus : real);
  return kind === 'loss' ? of(debits) - of(credits) : of(debits);
}

/** Whether no later windows have begun by this time: what moved in those would be in none that was read. */
export function areRunning({ group, windows }: PastWindows, now: number): boolean {
  const numbers = windowsOf(group.zone).numbersOf(now);
  return windows.every(({ place, number }) => number >= (numbers[place] ?? 0));
}

/** Whether all that moved between two times lies in one window, for each of those that are read. */
export function isInOneWindow(
  { group, windows }: PastWindows,
  first: number,
  last: number,
): boolean {
  const zone = windowsOf(group.zone);
  const [begun, ended] = [zone.numbersOf(first), zone.numbersOf(last)];
  return windows.every(({ place }) => begun[place] === ended[place]);
}

/**
 * What a whole round moved and has not taken back, each with its time (D13.4). The void of a whole round leaves its records, and
 * sums of 0: then none of them counts.
 * @throws Error if the records are not what the sums say
 */
export function pastOf({ head, entries }: RoundView): PastMoney[] {
  const { debits, credits, currency, repairs } = head;
  const kept = eachOf({ entries }).filter((one) =>
    isEmptyPurse(one.credits) ? !isEmptyPurse(debits) : !isEmptyPurse(credits),
  );
  const sumOf = (side: 'debits' | 'credits'): Purse =>
    kept.map((one) => one[side]).reduce(addPurses, emptyPurse);
  const isWhole = isSame(sumOf('debits'), debits) && isSame(sumOf('credits'), credits);
  if (!isWhole || kept.some((one) => one.currency !== currency)) {
    throw new Error('The records of a round are not what its sums say.');
  }
  const paid = (repairs?.list ?? []).flatMap((one): PastMoney[] => {
    if (one.kind !== 'pay' || one.status !== 'done' || one.currency === null) return [];
    const at = one.decidedAt ?? one.proposedAt;
    return [{ currency: one.currency, at, debits: emptyPurse, credits: one.purse }];
  });
  return [...kept, ...paid];
}

function isSame(one: Purse, other: Purse): boolean {
  return one.real === other.real && one.bonus === other.bonus;
}
