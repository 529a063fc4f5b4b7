/** How values change from the first one to the last. */
interface Trend {
  /** From -1, each is below those before it, to 1, each is above them (Kendall). */
  readonly steadiness: number;
  /** How much the last one is above the first, by the middle of all slopes (Theil and Sen): one value that is far off counts little. */
  readonly rise: number;
}

/** The trend of values of equal distance; no trend of fewer than two. */
export function trendOf(values: readonly number[]): Trend {
  const slopes: number[] = [];
  for (const [at, one] of values.entries()) {
    for (const [later, other] of values.entries()) {
      if (later > at) slopes.push((other - one) / (later - at));
    }
  }
  if (slopes.length === 0) return { steadiness: 0, rise: 0 };
  const up = slopes.filter((slope) => slope > 0).length;
  const down = slopes.filter((slope) => slope < 0).length;
  const sorted = slopes.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return { steadiness: (up - down) / slopes.length, rise: middle * (values.length - 1) };
}
