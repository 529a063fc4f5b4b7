import { type Random, wholeBelow } from '../../../platform/random';

/** The symbols of a reel. */
export const symbols = ['bell', 'seven', 'star', 'clover', 'lemon', 'cherry'] as const;

/** What three reels show: three indexes of {@link symbols}. */
export type Reels = readonly [number, number, number];

/** What the player may bet in a currency whose multiplier is 1, in minor units. */
export const baseStakes: readonly number[] = [10, 20, 50, 100, 200];
/** 6/216 times 18 and 90/216 times 1, in percent. */
export const expectedRtp = '91.67';
/** Three alike come in 1 of this many spins. */
export const maxPayoutOdds = 36;

/** Draws three reels. */
export function drawReels(random: Random): Reels {
  const reel = (): number => wholeBelow(random, symbols.length);
  return [reel(), reel(), reel()];
}

/** What the stake is multiplied by: 18 for three alike, 1 for two, else 0. */
export function oddsOf(reels: Reels): bigint {
  const different = new Set(reels).size;
  return different === 1 ? 18n : different === 2 ? 1n : 0n;
}

/** The reels for people, such as `bell star bell`. */
export function nameOf(reels: Reels): string {
  return reels.map((reel) => symbols[reel]).join(' ');
}

/** Reels to force: three names or indexes of symbols. Null if they are something else. */
export function readReels(wanted: readonly unknown[]): Reels | null {
  const [first = -1, second = -1, third = -1, ...more] = wanted.map((one) =>
    symbols.findIndex((symbol, index) => symbol === one || index === one),
  );
  const isThree = more.length === 0 && [first, second, third].every((index) => index >= 0);
  return isThree ? [first, second, third] : null;
}
