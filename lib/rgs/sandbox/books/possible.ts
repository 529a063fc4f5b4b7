/** The values that an amount may have: one if it is certain. */
export interface Possible {
  readonly least: bigint;
  readonly most: bigint;
  /** Every value, in order; null if they are too many to list: then any between least and most. */
  readonly values: readonly bigint[] | null;
}

/** More values than these are only kept as their least and their most. */
const maxListed = 512;

/** One certain amount. */
export function certain(amount: bigint): Possible {
  return { least: amount, most: amount, values: [amount] };
}

/** Any of these amounts. */
export function anyOf(amounts: readonly bigint[]): Possible {
  const values = [...new Set(amounts)].toSorted(byValue);
  const [least = 0n] = values;
  const most = values.at(-1) ?? 0n;
  return { least, most, values: values.length > maxListed ? null : values };
}

/** A value of the one or of the other. */
export function either(one: Possible, other: Possible): Possible {
  if (one.values === null || other.values === null) {
    return {
      least: smaller(one.least, other.least),
      most: larger(one.most, other.most),
      values: null,
    };
  }
  return anyOf([...one.values, ...other.values]);
}

/** The sums of any value of the one and any of the other. */
export function plus(one: Possible, other: Possible): Possible {
  const [least, most] = [one.least + other.least, one.most + other.most];
  if (one.values === null || other.values === null) return { least, most, values: null };
  const { values } = other;
  return anyOf(one.values.flatMap((a) => values.map((b) => a + b)));
}

/** The sum of all. */
export function total(amounts: Iterable<Possible>): Possible {
  let sum = certain(0n);
  for (const amount of amounts) sum = plus(sum, amount);
  return sum;
}

/** Whether an amount is among the possible ones. */
export function allows({ least, most, values }: Possible, amount: bigint): boolean {
  return values === null ? amount >= least && amount <= most : values.includes(amount);
}

/** Whether there is but one value. */
export function isCertain({ least, most }: Possible): boolean {
  return least === most;
}

/** The possible value that lies next to an amount. */
export function nearest({ least, most, values }: Possible, amount: bigint): bigint {
  if (values === null) return amount < least ? least : amount > most ? most : amount;
  return values.reduce((best, value) => {
    return distance(value, amount) < distance(best, amount) ? value : best;
  }, least);
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function larger(a: bigint, b: bigint): bigint {
  return a < b ? b : a;
}
