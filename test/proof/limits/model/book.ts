import type { LimitResult, LimitWindow } from '../../../../lib/operator/wallet';
import { limitKinds, limitWindows, maxLimits } from '../../../../lib/operator/wallet';
import { windowNumber } from './calendar';
import { countersOf, usedAt } from './counters';
import type { Entry, Group, Setting } from './entries';
import type { Reading } from './readings';

/**
 * A player's list of all that happened. What counts is added up from the whole list each time it is asked for: nothing is
 * kept but the list.
 */
export class Book {
  readonly entries: Entry[] = [];

  /** @param isFromPast whether a limit counts what moved in its window before it, and so the whole list */
  constructor(private readonly isFromPast = false) {}

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
        groups.set(key, {
          kind,
          currency,
          zone,
          counts,
          most,
          from: this.from(isSame ? known.from : from),
        });
    }
    const order = [...groups.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    return limitKinds.flatMap((kind) => order.filter((one) => one.kind === kind));
  }

  private from(made: number): number {
    return this.isFromPast ? 0 : made;
  }

  /** What may count in a window of the group, for a process with this time. */
  used(group: Group, window: LimitWindow, now: number, reading: Reading): readonly bigint[] {
    const number = windowNumber(group.zone, window, now);
    return countersOf(this.entries, { group, window, reading }).map((one) => usedAt(one, number));
  }

  /** What setting or lifting a limit must answer, and what it adds; the player has accounts in these currencies. */
  setting(
    order: Omit<Setting, 'type' | 'zone' | 'counts'> & Partial<Pick<Setting, 'zone' | 'counts'>>,
    currencies: readonly string[],
  ): Answered {
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

/** What an order answers, and what it adds to the list. */
interface Answered {
  readonly answer: LimitResult;
  readonly entry: Setting | null;
}

function refused(reason: 'noCurrency' | 'otherTerms' | 'tooMany'): Answered {
  return { answer: { kind: 'refused', reason }, entry: null };
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
