import type { Clock } from '../../platform';

/** How far the times may run ahead of the clock; above it they repeat. */
const furthestAheadMs = 1000;

/**
 * Hands out the time, no millisecond twice. Where little of a call is signed (getStats signs
 * nothing of its body), two of one millisecond would have one signature, and a receiver that
 * guards against replays as D1.8 has it would refuse the second.
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
