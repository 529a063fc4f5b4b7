import type { Random } from './random';

/** The pauses of one kind of work, in milliseconds. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * The pause after this many consecutive failures, in milliseconds. It doubles with each, up to the
 * longest, less up to half of it at random, so that clients that failed together do not return together.
 */
export function backOffMs(
  { firstMs, longestMs }: BackOff,
  failures: number,
  random: Random,
): number {
  const pauseMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return pauseMs * (0.5 + random.next() / 2);
}
