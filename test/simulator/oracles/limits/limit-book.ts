import type { Limit, LimitResult, LimitWindow } from '../../../../lib/operator/wallet';
import { Book, limitsOf } from '../../../proof/limits/model/book';
import { nextWindow, windowNumber } from '../../../proof/limits/model/calendar';
import { unitsOf } from '../../../proof/limits/model/counters';
import type { Group, Setting } from '../../../proof/limits/model/entries';
import type { Purse } from '../../../../lib/protocol/money/purse';
import type { World } from '../../world/scheduler';
import type { StandingMoney } from './round-money';

/** What counts in one window of a limit. */
interface Counter {
  number: number;
  used: bigint;
  /** Whether some process may have counted into the next window by now, or into the one before. */
  isUnclear: boolean;
}

/** The numbers of the windows at a time. */
interface NumbersAt {
  readonly at: number;
  readonly numbers: ReadonlyMap<LimitWindow, number>;
}

/** An order, checked. */
type Order = Parameters<Book['setting']>[0];

/** Something was sent by a process whose clock was so far from the world's, or so long ago. */
const farthestMs = 15_000;
const windows: readonly LimitWindow[] = ['day', 'week', 'month'];

/** The limits of a player by all that the store did, in the order in which it did it: counted anew here (D13). */
export class LimitBook {
  private readonly settings = new Book();
  private readonly counters = new Map<string, Counter>();
  /** By zone: the numbers of its windows as they were asked for last. */
  private readonly numbers = new Map<string, NumbersAt>();
  /** As set now. */
  private groups: readonly Group[] = [];

  constructor(
    private readonly world: World,
    private readonly playerId: string,
    /** Whether the store goes by the world's clock, whichever process asks. */
    private readonly hasOneClock: boolean,
  ) {}

  /** The store has answered an order; what was set or lifted, null if nothing was. */
  set(
    order: Omit<Order, 'at'>,
    currencies: readonly string[],
    result: LimitResult,
  ): Setting | null {
    const { answer, entry } = this.settings.setting({ ...order, at: this.now }, currencies);
    const [own, told] = [answer, result].map((one) => JSON.stringify(one));
    if (own !== told) this.fail(`an order was answered ${told}, and should be ${own}`);
    if (entry === null) return null;
    this.settings.add(entry);
    this.groups = this.settings.groups();
    for (const group of this.groups) this.begin(group);
    return entry;
  }

  /** A round was committed: what it took back, then what it moved. */
  move(back: readonly StandingMoney[], moved: readonly StandingMoney[]): void {
    for (const group of this.groups) {
      if (group.kind === 'deposit') continue;
      const since = this.settings.entries[group.from]?.at ?? 0;
      for (const window of windows) {
        const counter = this.counterOf(group, window);
        const own = (one: StandingMoney): boolean => one.currency === group.currency;
        for (const one of back.filter(own)) {
          const isOfWindow = windowNumber(group.zone, window, one.at) === counter.number;
          if (one.at > since && isOfWindow) counter.used -= signed(one, group);
        }
        for (const one of moved.filter(own)) counter.used += signed(one, group);
      }
    }
    for (const { currency, purse } of moved.filter(({ type }) => type === 'take')) {
      for (const { group, window, most } of this.limitsIn(currency)) {
        const { used, isUnclear } = this.counterOf(group, window);
        if (isUnclear || used <= most) continue;
        const units = unitsOf(purse, group.counts);
        this.fail(
          `a debit of ${units} is accepted: ${nameOf(group, window)} has ${used} of ${most}`,
        );
      }
    }
  }

  /** The store has done a new deposit, or has refused it as one beyond a limit. */
  deposit(currency: string, units: bigint, isRefused: boolean): void {
    const purse: Purse = { real: units, bonus: 0n };
    const groups = this.groups.filter((one) => {
      return one.kind === 'deposit' && one.currency === currency;
    });
    const isOver = limitsOf(groups).some(({ group, window, most }) => {
      return this.counterOf(group, window).used + unitsOf(purse, group.counts) > most;
    });
    if (isOver !== isRefused) {
      this.fail(`a deposit of ${units} is ${isRefused ? 'refused' : 'done'}, against the limits`);
    }
    if (isRefused) return;
    for (const group of groups) {
      for (const window of windows) {
        this.counterOf(group, window).used += unitsOf(purse, group.counts);
      }
    }
  }

  /** What debits may take at most in a currency; infinite without limits. */
  roomIn(currency: string): number {
    const rooms = this.limitsIn(currency).map(({ group, window, most }) => {
      return Number(most - this.counterOf(group, window).used);
    });
    return Math.min(Number.POSITIVE_INFINITY, ...rooms);
  }

  /** Compares the limits as the store tells them; `whole`: also when their windows end. */
  compare(told: readonly Limit[], whole: boolean): void {
    const own = limitsOf(this.groups).map(({ group, window, most }) => {
      const { used, isUnclear } = this.counterOf(group, window);
      const known = told.find((one) => nameOf(one, one.window) === nameOf(group, window));
      const counted = isUnclear ? (known?.used ?? used) : used;
      const remaining = counted >= most ? 0n : most - counted;
      const resetsAt = whole ? nextWindow(group.zone, window, this.now) : (known?.resetsAt ?? null);
      return textOf({ ...group, window, amount: most, used: counted, remaining, resetsAt });
    });
    const [one, other] = [own, told.map(textOf)].map((list) => list.toSorted().join('; '));
    if (one !== other)
      this.fail(`the store has ${other || 'none'}, and counted here: ${one || 'none'}`);
  }

  private limitsIn(currency: string) {
    return limitsOf(
      this.groups.filter((one) => one.currency === currency && one.kind !== 'deposit'),
    );
  }

  /** A group that was made now counts from 0 (D13.6). */
  private begin(group: Group): void {
    for (const window of windows) {
      const name = keyOf(group, window);
      if (this.counters.has(name)) continue;
      const number = windowNumber(group.zone, window, this.now);
      this.counters.set(name, { number, used: 0n, isUnclear: this.isNearEdge(group, window) });
    }
  }

  /** The counter of the window that runs now. */
  private counterOf(group: Group, window: LimitWindow): Counter {
    const counter = this.counters.get(keyOf(group, window));
    if (counter === undefined) throw new Error(`no counter of ${nameOf(group, window)}`);
    const number = this.numberNow(group, window);
    const isNearEdge = this.isNearEdge(group, window);
    if (number > counter.number) {
      counter.isUnclear = isNearEdge || (counter.isUnclear && !this.hasOneClock);
      [counter.number, counter.used] = [number, 0n];
      this.world.count('limits: a window has begun');
    }
    counter.isUnclear ||= isNearEdge;
    return counter;
  }

  /** Of the window that runs now; a name of a zone costs much to look up. */
  private numberNow({ zone }: Group, window: LimitWindow): number {
    const { now } = this;
    let known = this.numbers.get(zone);
    if (known?.at !== now) {
      const numbers = windows.map((one) => [one, windowNumber(zone, one, now)] as const);
      known = { at: now, numbers: new Map(numbers) };
      this.numbers.set(zone, known);
    }
    return known.numbers.get(window) ?? 0;
  }

  private isNearEdge({ zone }: Group, window: LimitWindow): boolean {
    if (this.hasOneClock) return false;
    const [before, after] = [-farthestMs, farthestMs].map((ms) => {
      return windowNumber(zone, window, this.now + ms);
    });
    return before !== after;
  }

  private get now(): number {
    return this.world.clock.now();
  }

  private fail(text: string): void {
    this.world.fail('D13', `${this.playerId}: ${text}`);
  }
}

/** What money adds to a limit (D13.3, D13.4). */
function signed({ type, purse }: StandingMoney, { kind, counts }: Group): bigint {
  if (type === 'take') return unitsOf(purse, counts);
  return kind === 'loss' ? -unitsOf(purse, counts) : 0n;
}

function keyOf(group: Group, window: LimitWindow): string {
  return `${nameOf(group, window)} ${group.from}`;
}

function nameOf({ kind, currency }: Pick<Group, 'kind' | 'currency'>, window: string): string {
  return `${kind} ${currency} ${window}`;
}

function textOf(one: Omit<Limit, 'resetsAt'> & { readonly resetsAt: number | null }): string {
  const { zone, counts, amount, used, remaining, resetsAt } = one;
  return `${nameOf(one, one.window)} in ${zone} of ${counts}: ${used} of ${amount}, ${remaining} until ${resetsAt}`;
}
