const shownPercentiles = [50, 90, 99] as const;

/** Percentiles of times in milliseconds, as text: `p50 3 ms, p90 5 ms, p99 9 ms, max 12 ms`. */
export function percentilesOf(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = times.toSorted((one, other) => one - other);
  const texts = shownPercentiles.map(
    (percent) => `p${percent} ${Math.round(percentile(sorted, percent))} ms`,
  );
  return [...texts, `max ${Math.round(sorted.at(-1) ?? 0)} ms`].join(', ');
}

/** The smallest time that at least this percentage do not exceed. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}
