import { createSeededRandom, type Random } from '../../../lib/platform';
import { wholeBelow } from '../../../lib/platform/random';

/** Draws what a plan consists of. */
export class Dice {
  private readonly random: Random;

  constructor(seed: number) {
    this.random = createSeededRandom(seed);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + wholeBelow(this.random, most - least + 1);
  }

  /** True in so many cases of a hundred. */
  chance(percent: number): boolean {
    return this.random.next() * 100 < percent;
  }

  pick<T>(list: readonly T[]): T {
    return list[wholeBelow(this.random, list.length)] as T;
  }

  /** An entry by its weight. */
  weighed<T extends { readonly weight: number }>(list: readonly T[]): T {
    let left = this.random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    return list.find(({ weight }) => (left -= weight) < 0) ?? (list[0] as T);
  }
}
