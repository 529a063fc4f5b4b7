/**
 * How a call of the RGS ended: processed as a whole; with something declined; with something unknown (D7); shed before it did
 * anything; refused to a caller who was not verified.
 */
export const callOutcomes = ['done', 'declined', 'unknown', 'shed', 'foreign'] as const;

/** See {@link callOutcomes}. */
export type CallOutcomeName = (typeof callOutcomes)[number];

/** What a process counted in a minute. */
export interface MinuteCounts {
  /** Minutes since 1970, UTC. */
  readonly minute: number;
  /** Calls in the order of {@link callOutcomes}. */
  readonly outcomes: readonly number[];
  /** Calls by how long the answer took: of {@link bucketCount} buckets. What was shed or foreign has no time. */
  readonly times: readonly number[];
}

/** Buckets of times: up to 1 ms, then each 1.33 times as long as the one before, and what took longer than all. */
export const bucketCount = 32;

const growth = 1.33;

/** Where each bucket but the last ends, in milliseconds: 1 to 5,190. */
export const bucketEnds: readonly number[] = Array.from(
  { length: bucketCount - 1 },
  (_, at) => growth ** at,
);

const [shortest = 0, longest = 0] = [bucketEnds[0], bucketEnds.at(-1)];

/** The bucket of each whole number of milliseconds; times are whole. */
const bucketOfMs = Uint8Array.from({ length: Math.ceil(longest) }, (_, ms) =>
  bucketEnds.findIndex((end) => ms < end),
);

/** The bucket of a time in milliseconds. */
export function bucketOf(ms: number): number {
  return (
    bucketOfMs[ms] ??
    (ms < longest ? (bucketOfMs[Math.max(0, Math.trunc(ms))] ?? 0) : bucketCount - 1)
  );
}

/**
 * The time within which this share of the calls was answered, in milliseconds, off by less than 15 %; null without calls. Under a
 * millisecond it is 1, and beyond the buckets the end of the last one that has an end.
 */
export function timeOfShare(times: readonly number[], share: number): number | null {
  const total = times.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.ceil(total * share);
  const at = times.findIndex((count) => (left -= count) <= 0);
  if (at === 0) return shortest;
  const [start, end] = [bucketEnds[at - 1] ?? longest, bucketEnds[at]];
  return end === undefined ? longest : (2 * start * end) / (start + end);
}
