/** Whether this is the slow tier, which plays all there is. */
const isWhole = process.env['ALL_RUNS'] !== undefined;

/**
 * How many cases a property plays: all of them in the slow tier, and a twentieth, but at least so many, in the others.
 * jest.config.js names the files that ask.
 */
export function runs(all: number, atLeast = 20): number {
  return isWhole ? all : Math.min(all, Math.max(atLeast, Math.ceil(all / 20)));
}

/** Of the places that a rule is proven at, by name: all of them in the slow tier, and the first ones in the others. */
export function places<T>(all: Readonly<Record<string, T>>, count = 1): (readonly [string, T])[] {
  return firstOf(Object.entries(all), count);
}

/** Of cases that are alike: all of them in the slow tier, and the first ones in the others. */
export function firstOf<T>(all: readonly T[], count: number): T[] {
  return isWhole ? [...all] : all.slice(0, count);
}
