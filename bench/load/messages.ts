/** What the load is told to do. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
}

/** What the load saw. */
export interface LoadResult {
  /** Calls answered within the measured time. */
  readonly calls: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number };
  /** The load's own share of a core while it was measured, garbage collection included; 1 is a whole one. */
  readonly ownCpu: number;
  /** Calls that were signed while it was measured, because more were answered than foreseen. */
  readonly signedLate: number;
  /** Calls processed in all, those of the warm-up too. */
  readonly processed: number;
  /** What the processed calls moved for each player, in cents, in the order of the players. */
  readonly moved: readonly number[];
  /** Answers other than 200 with all hashes, and broken connections: the first few. */
  readonly faults: readonly string[];
}

/** What the load tells: at the two ends of the measured time, and in the end. */
export type LoadMessage =
  | { readonly kind: 'started' | 'ended' }
  | { readonly kind: 'result'; readonly result: LoadResult };
