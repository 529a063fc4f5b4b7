import type { Exchange } from '../client';
import type { Timing } from '../talk/case';

const bucketLimitsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** What a service calls. Other paths are tried by a few cases. */
const calls: readonly string[] = ['doTransactions', 'getBalance'];

/** Collects how long the wallet took for each kind of call. */
export class Timings {
  readonly #times = new Map<string, number[]>();

  /** Notes a whole reply; one that did not come has no time. */
  add({ request, reply }: Exchange): void {
    if (reply.kind !== 'reply') return;
    const call = request.path.split('?')[0]?.slice(1) ?? '';
    if (!calls.includes(call)) return;
    const times = this.#times.get(call) ?? [];
    this.#times.set(call, times);
    times.push(reply.ms);
  }

  /** Middle of the times of all calls so far, in milliseconds; null before the first one. */
  usualMs(): number | null {
    const all = [...this.#times.values()].flat().toSorted((one, other) => one - other);
    return all[Math.floor(all.length / 2)] ?? null;
  }

  result(): Timing[] {
    return [...this.#times].map(([call, times]) => timingOf(call, times));
  }
}

function timingOf(call: string, times: readonly number[]): Timing {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => {
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  };
  let below = Number.NEGATIVE_INFINITY;
  const buckets = [...bucketLimitsMs, null].map((upToMs) => {
    const limit = upToMs ?? Number.POSITIVE_INFINITY;
    const count = sorted.filter((ms) => ms > below && ms <= limit).length;
    below = limit;
    return { upToMs, count };
  });
  const [p50, p90, p99] = [at(0.5), at(0.9), at(0.99)];
  return { call, count: sorted.length, p50, p90, p99, max: at(1), buckets };
}
