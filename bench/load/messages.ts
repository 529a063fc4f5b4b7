import type { CallKind } from './calls';
import type { Latency } from './percentiles';
import type { Arrivals } from './schedule';

/** The order for a load process. */
export interface LoadOrder {
  /** Of the contestant's processes; connections are spread over them evenly. */
  readonly ports: readonly number[];
  readonly connections: number;
  readonly calls: CallKind;
  /** A closed loop over some connections before it is measured. */
  readonly warmupSeconds: number;
  readonly pace: Pace;
}

/**
 * A closed loop for a time, or until each connection has made so many calls; or an open loop, which sends at the times
 * of a schedule whatever was answered.
 */
export type Pace =
  | { readonly kind: 'closed'; readonly seconds: number }
  | { readonly kind: 'counted'; readonly callsEach: number }
  | {
      readonly kind: 'open';
      readonly seconds: number;
      /** Calls a second. */
      readonly rate: number;
      readonly arrivals: Arrivals;
      readonly seed: number;
    };

/** What the load saw. */
export interface LoadResult {
  /** Calls answered within the measured time. */
  readonly calls: number;
  readonly seconds: number;
  readonly latency: Latency;
  /** Of an open loop. */
  readonly open: OpenLoopResult | null;
  /** Of rounds of many calls: of their first and of their last hundred. */
  readonly ends: { readonly first: Latency; readonly last: Latency } | null;
  /** The load's own share of a core while it was measured, garbage collection included; 1 is a whole one. */
  readonly ownCpu: number;
  /** Calls that were signed while it was measured, because more were answered than foreseen. */
  readonly signedLate: number;
  /** What the processed calls moved for each player, in cents, in the order of the players. */
  readonly moved: readonly number[];
  /** Wrong answers and broken connections: the first few. */
  readonly faults: readonly string[];
}

/**
 * Further results of an open loop, besides the latencies, which are measured from the planned time of a
 * call.
 */
export interface OpenLoopResult {
  /** Calls that were to be sent in the time. */
  readonly due: number;
  /** Whether the contestant answered nearly all calls in time; otherwise the latencies mean nothing. */
  readonly isHeld: boolean;
  /** How late the load itself was to send, where a connection was free: a part of the latencies. */
  readonly lateness: Latency;
}

/** The messages of the load: at both ends of the measured time, and in the end. */
export type LoadMessage =
  | { readonly kind: 'started' | 'ended' }
  | { readonly kind: 'result'; readonly result: LoadResult };
