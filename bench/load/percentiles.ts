/** Latencies in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  /** The 99.9th percentile. */
  readonly p999: number;
  readonly max: number;
}

/** By nearest rank: the least value that so large a share of all does not exceed; 0 of none. */
export function percentiles(values: readonly number[]): Latency {
  const sorted = Float64Array.from(values).toSorted();
  const at = (perMille: number) => sorted[Math.ceil((perMille * sorted.length) / 1000) - 1] ?? 0;
  return { p50: at(500), p90: at(900), p99: at(990), p999: at(999), max: at(1000) };
}
