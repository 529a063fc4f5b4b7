import type { Random } from './random';

/** The pauses of one kind of work, in milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * The pause after so many failures in a row, in milliseconds: it doubles with each, up to the longest, and up to half
 * of it is taken off at random, so that those who failed together do not come back together.
 */
export function backOffMs(
  { firstMs, longestMs }: BackOff,
  failures: number,
  random: Random,
): number {
  const pauseMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return pauseMs * (0.5 + random.next() / 2);
}
