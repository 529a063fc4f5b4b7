import type { Clock } from '../../platform';

/** How far the times may run ahead of the clock; beyond it they repeat. */
const furthestAheadMs = 1000;

/**
 * Returns the time, never the same millisecond twice. Some calls sign little (getStats signs nothing of
 * its body), so two calls in one millisecond would share a signature, and a receiver that guards against
 * replays as in D1.8 would refuse the second.
 */
export class UniqueTime {
  #last = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Milliseconds since 1970. */
  next(): number {
    const now = this.clock.now();
    const isAhead = this.#last >= now && this.#last - now < furthestAheadMs;
    this.#last = isAhead ? this.#last + 1 : now;
    return this.#last;
  }
}
