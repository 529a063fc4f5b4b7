import type { LimitKind, LimitResult, LimitWindow } from '../../../operator/wallet';
import { limitKinds, limitWindows, maxLimits } from '../../../operator/wallet';
import type { Purse } from '../../../protocol/money/purse';
import { windowNumber } from './calendar';
import type { Reading } from './readings';

/** Money that moved once, by the clock of the process that moved it. */
export interface Money {
  readonly type: 'take' | 'give' | 'deposit';
  readonly currency: string;
  readonly purse: Purse;
  readonly at: number;
}

/** A limit that was set, or lifted with an amount of null. */
export interface Setting {
  readonly type: 'limit';
  readonly kind: LimitKind;
  readonly currency: string;
  readonly window: LimitWindow;
  readonly zone: string;
  readonly counts: 'real' | 'all';
  readonly amount: bigint | null;
  readonly at: number;
}

/** All that happened to a player, in its order. */
export type Entry =
  | Money
  | Setting
  /** A void, and what it took back. */
  | {
      readonly type: 'back';
      readonly of: readonly Money[];
      readonly currency: string;
      readonly at: number;
    }
  | { readonly type: 'decline'; readonly currency: string; readonly at: number };

/** The limits of a kind and a currency, since the first of them was set. */
export interface Group {
  readonly kind: LimitKind;
  readonly currency: string;
  readonly zone: string;
  readonly counts: 'real' | 'all';
  /** Where in the list it was made. */
  readonly from: number;
  readonly most: ReadonlyMap<LimitWindow, bigint>;
}

/** What counts in a window, and which one it is. */
interface Counter {
  number: number;
  used: bigint;
  readonly countedIn: Map<Money, number>;
}

/**
 * A player's list of all that happened. What counts is added up from the whole list each time it is asked for: nothing is
 * kept but the list.
 */
export class Book {
  readonly entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries.push(entry);
  }

  /** Leaves out all after the first so many. */
  cut(length: number): void {
    this.entries.length = length;
  }

  /** The limits as set now, by kind and currency. */
  groups(): readonly Group[] {
    const groups = new Map<string, Group>();
    for (const [from, entry] of this.entries.entries()) {
      if (entry.type !== 'limit') continue;
      const { kind, currency, zone, counts, window, amount } = entry;
      const key = `${kind} ${currency}`;
      const known = groups.get(key);
      const most = new Map(known?.most);
      if (amount === null) most.delete(window);
      else most.set(window, amount);
      const isSame = known !== undefined && known.zone === zone && known.counts === counts;
      if (most.size === 0) groups.delete(key);
      else
        groups.set(key, { kind, currency, zone, counts, most, from: isSame ? known.from : from });
    }
    const order = [...groups.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    return limitKinds.flatMap((kind) => order.filter((one) => one.kind === kind));
  }

  /** What counts in a window of the group, for a process with this time. */
  used(group: Group, window: LimitWindow, now: number, reading: Reading): bigint {
    const { number, used } = this.counter(group, window, reading);
    return windowNumber(group.zone, window, now) > number ? 0n : used;
  }

  /** The number of the window that has begun, as of this time. */
  number(group: Group, window: LimitWindow, now: number, reading: Reading): number {
    const { number } = this.counter(group, window, reading);
    return Math.max(number, windowNumber(group.zone, window, now));
  }

  private counter(group: Group, window: LimitWindow, reading: Reading): Counter {
    const first = this.entries[group.from];
    if (first === undefined) throw new Error('the list has no such limit');
    const counter: Counter = {
      number: windowNumber(group.zone, window, first.at),
      used: 0n,
      countedIn: new Map(),
    };
    for (const entry of this.entries.slice(group.from + 1)) {
      if (entry.currency !== group.currency) continue;
      count(counter, entry, { group, window, reading });
    }
    return counter;
  }

  /** What setting or lifting a limit must answer, and what it adds; the player has accounts in these currencies. */
  setting(
    order: Omit<Setting, 'type' | 'zone' | 'counts'> & Partial<Pick<Setting, 'zone' | 'counts'>>,
    currencies: readonly string[],
  ): { readonly answer: LimitResult; readonly entry: Setting | null } {
    const refused = (reason: 'noCurrency' | 'otherTerms' | 'tooMany') =>
      ({ answer: { kind: 'refused', reason }, entry: null }) as const;
    if (!currencies.includes(order.currency)) return refused('noCurrency');
    const groups = this.groups();
    const group = groups.find(
      ({ kind, currency }) => kind === order.kind && currency === order.currency,
    );
    const { zone = group?.zone ?? 'UTC', counts = group?.counts ?? 'real' } = order;
    if (order.amount === null) {
      const { zone: known = zone, counts: also = counts } = group ?? {};
      const isThere = group?.most.has(order.window) === true;
      const entry: Setting = { ...order, type: 'limit', zone: known, counts: also };
      return { answer: { kind: 'done' }, entry: isThere ? entry : null };
    }
    const isOther = group !== undefined && (group.zone !== zone || group.counts !== counts);
    const isOnly = group?.most.size === 1 && group.most.has(order.window);
    if (isOther && !isOnly) return refused('otherTerms');
    const isNew = group?.most.has(order.window) !== true;
    const count = groups.reduce((sum, { most }) => sum + most.size, 0);
    if (isNew && count >= maxLimits) return refused('tooMany');
    return { answer: { kind: 'done' }, entry: { ...order, type: 'limit', zone, counts } };
  }
}

/** Every limit of the groups: kind by kind, window by window. */
export function limitsOf(
  groups: readonly Group[],
): { readonly group: Group; readonly window: LimitWindow; readonly most: bigint }[] {
  return groups.flatMap((group) =>
    limitWindows.flatMap((window) => {
      const most = group.most.get(window);
      return most === undefined ? [] : [{ group, window, most }];
    }),
  );
}

/** What of a purse counts for limits of this sort. */
export function unitsOf({ real, bonus }: Purse, counts: 'real' | 'all'): bigint {
  return counts === 'all' ? real + bonus : real;
}

interface Counting {
  readonly group: Group;
  readonly window: LimitWindow;
  readonly reading: Reading;
}

function count(counter: Counter, entry: Entry, counting: Counting): void {
  const { group, window, reading } = counting;
  const number = windowNumber(group.zone, window, entry.at);
  const begin = (): void => {
    if (number <= counter.number) return;
    counter.number = number;
    counter.used = 0n;
  };
  if (entry.type === 'limit') {
    if (entry.kind === group.kind && reading.settingBegins) begin();
  } else if (entry.type === 'decline') {
    if (reading.declineBegins) begin();
  } else if (entry.type === 'back') {
    const target = Math.max(number, counter.number);
    const back = entry.of.filter((money) => isIn(target, money, counter, counting));
    if (back.length > 0 || reading.voidBegins) begin();
    for (const money of back)
      counter.used -= sign(money, group.kind) * unitsOf(money.purse, group.counts);
  } else if (sign(entry, group.kind) !== 0n) {
    begin();
    counter.used += sign(entry, group.kind) * unitsOf(entry.purse, group.counts);
    counter.countedIn.set(entry, counter.number);
  } else if (reading.otherKindBegins) begin();
}

/** Whether money counted in the window of this number (D13.4). */
function isIn(
  target: number,
  money: Money,
  { countedIn }: Counter,
  { group, window, reading }: Counting,
): boolean {
  const counted = countedIn.get(money);
  if (counted === undefined) return false;
  if (reading.voids === 'counted') return counted === target;
  return windowNumber(group.zone, window, money.at) === target;
}

/** What money adds to a kind of limit: 1, -1, or nothing (D13.3). */
function sign({ type }: Money, kind: LimitKind): bigint {
  if (kind === 'deposit') return type === 'deposit' ? 1n : 0n;
  if (type === 'take') return 1n;
  return type === 'give' && kind === 'loss' ? -1n : 0n;
}
