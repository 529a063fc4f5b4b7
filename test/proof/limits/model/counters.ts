import type { LimitWindow } from '../../../../lib/operator/wallet';
import type { Purse } from '../../../../lib/protocol/money/purse';
import type { Entry, Group, Money } from './entries';
import { windowNumber } from './calendar';
import type { Reading } from './readings';

/** What counts in a window, and which one it is. */
export interface Counter {
  readonly number: number;
  readonly used: bigint;
  /** The money that counted in it. */
  readonly counted: ReadonlySet<Money>;
}

/** Which counter, and how voids are read. */
interface Counting {
  readonly group: Group;
  readonly window: LimitWindow;
  readonly reading: Reading;
}

/**
 * What may count after all that happened: more than one thing only while a window has begun for one process and not for
 * another. D13.5 does not say whether what counts nothing begins it for the other one too.
 */
export function countersOf(entries: readonly Entry[], counting: Counting): readonly Counter[] {
  const { group, window } = counting;
  const first = entries[group.from];
  if (first === undefined) throw new Error('the list has no such limit');
  const number = windowNumber(group.zone, window, first.at);
  let counters: readonly Counter[] = [{ number, used: 0n, counted: new Set() }];
  let most: bigint | null = null;
  for (const entry of entries.slice(group.from)) {
    if (entry.type === 'limit' && isOwn(entry, counting)) most = entry.amount;
    counters = possible(after(counters, entry, counting), entry, most, counting);
  }
  return counters;
}

/** What counts at this number of a window: nothing if the counter is that of an earlier one. */
export function usedAt({ number, used }: Counter, at: number): bigint {
  return at > number ? 0n : used;
}

/** The name of a limit, by which the list notes what was reported of it. */
export function keyOf(
  { kind, currency }: Pick<Group, 'kind' | 'currency'>,
  window: LimitWindow,
): string {
  return `${kind} ${currency} ${window}`;
}

/** What of a purse counts for limits of this sort. */
export function unitsOf({ real, bonus }: Purse, counts: 'real' | 'all'): bigint {
  return counts === 'all' ? real + bonus : real;
}

function after(
  counters: readonly Counter[],
  entry: Entry,
  { group, window, reading }: Counting,
): readonly Counter[] {
  if (entry.type === 'seen') return counters;
  const number = windowNumber(group.zone, window, entry.at);
  if (isMoney(entry) && sign(entry, group) !== 0n)
    return counters.map((one) => counted(begun(one, number), entry, group));
  return counters.flatMap((one) => {
    if (number > one.number) return [one, begun(one, number)];
    if (entry.type !== 'back') return [one];
    const isBack = (money: Money): boolean =>
      one.counted.has(money) &&
      (reading === 'counted' || windowNumber(group.zone, window, money.at) === one.number);
    const back = entry.of
      .filter(isBack)
      .map((money) => sign(money, group) * unitsOf(money.purse, group.counts));
    return [{ ...one, used: back.reduce((used, units) => used - units, one.used) }];
  });
}

/** Without what was accepted or reported otherwise, and each once. */
function possible(
  counters: readonly Counter[],
  entry: Entry,
  most: bigint | null,
  { group, window }: Counting,
): readonly Counter[] {
  if (counters.length === 1) return counters;
  const told = entry.type === 'seen' ? entry.used.get(keyOf(group, window)) : undefined;
  const number = windowNumber(group.zone, window, entry.at);
  const isTaken =
    isMoney(entry) && sign(entry, group) === 1n && unitsOf(entry.purse, group.counts) > 0n;
  const left = counters.filter((one, index) => {
    if (told !== undefined && usedAt(one, number) !== told) return false;
    if (isTaken && most !== null && one.used > most) return false;
    return counters.findIndex((other) => isSame(one, other)) === index;
  });
  return left.length === 0 ? counters : left;
}

function begun(counter: Counter, number: number): Counter {
  return number > counter.number ? { number, used: 0n, counted: new Set() } : counter;
}

function counted(counter: Counter, money: Money, group: Group): Counter {
  const used = counter.used + sign(money, group) * unitsOf(money.purse, group.counts);
  return { ...counter, used, counted: new Set(counter.counted).add(money) };
}

function isSame(one: Counter, other: Counter): boolean {
  if (one.number !== other.number || one.used !== other.used) return false;
  return (
    one.counted.size === other.counted.size &&
    [...one.counted].every((money) => other.counted.has(money))
  );
}

function isOwn(entry: Extract<Entry, { type: 'limit' }>, { group, window }: Counting): boolean {
  const { kind, currency } = entry;
  return kind === group.kind && currency === group.currency && entry.window === window;
}

function isMoney(entry: Entry): entry is Money {
  return entry.type === 'take' || entry.type === 'give' || entry.type === 'deposit';
}

/** What money adds to a limit: 1, -1, or nothing (D13.3). */
function sign({ type, currency }: Money, { kind, currency: own }: Group): bigint {
  if (currency !== own) return 0n;
  if (kind === 'deposit') return type === 'deposit' ? 1n : 0n;
  if (type === 'take') return 1n;
  return type === 'give' && kind === 'loss' ? -1n : 0n;
}
