import { createSeededRandom, wholeBelow } from '../../platform/random';

/** Draws what a random case consists of; the same seed draws the same. */
export class Dice {
  private readonly random;

  constructor(seed: number) {
    this.random = createSeededRandom(seed);
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return wholeBelow(this.random, limit);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True in so many cases of a hundred. */
  chance(percent: number): boolean {
    return this.random.next() * 100 < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** An entry by its weight. */
  weighed<T extends { readonly weight: number }>(list: readonly T[]): T {
    let left = this.random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    return list.find(({ weight }) => (left -= weight) < 0) ?? (list[0] as T);
  }

  /** A list of `least` to `most` entries. */
  times<T>(least: number, most: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.between(least, most) }, (_, at) => make(at));
  }
}
