import { testSeed } from './seed';

/** Whether this is the soak tier, which plays all there is. */
const isWhole = process.env['ALL_RUNS'] !== undefined;

/**
 * How many cases are played: all of them in the soak tier, and a few in the others; a twentieth unless set. A file that
 * asks has `.many.` in its name.
 */
export function runs(all: number, few = Math.max(20, Math.ceil(all / 20))): number {
  return isWhole ? all : Math.min(all, few);
}

/** Of the places that a rule is proven at, by name: all of them in the soak tier, and the first ones in the others. */
export function places<T>(all: Readonly<Record<string, T>>, count = 1): (readonly [string, T])[] {
  return firstOf(Object.entries(all), count);
}

/** Of cases that are alike: all of them in the soak tier, and the first ones in the others. */
export function firstOf<T>(all: readonly T[], count: number): T[] {
  return isWhole ? [...all] : all.slice(0, count);
}

/**
 * Which random histories are played, as fast-check takes it: 2,000 in the soak tier, unless HISTORIES says how many. A
 * failure prints the seed and the path of its history: HISTORIES_SEED and HISTORIES_PATH play that one alone.
 */
export function randomHistories(few: number): {
  readonly numRuns: number;
  readonly seed: number;
  readonly path?: string;
} {
  const { HISTORIES, HISTORIES_SEED, HISTORIES_PATH } = process.env;
  return {
    numRuns: Number(HISTORIES ?? runs(2000, few)),
    seed: Number(HISTORIES_SEED ?? testSeed),
    ...(HISTORIES_PATH === undefined ? {} : { path: HISTORIES_PATH }),
  };
}
