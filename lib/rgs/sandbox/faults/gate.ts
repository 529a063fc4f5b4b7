import type { Clock } from '../../../platform';

/** Holds calls that go out of order, until another call has passed them. */
export interface Gate {
  /** Whether any call is held. */
  readonly isHolding: boolean;
  /**
   * Whether the call would be held: false if one waits already for it to pass, since two that wait for each
   * other would both be late.
   */
  canHold(lane: string): boolean;
  /** Resolves once another call of this lane has been answered; after this many milliseconds at the latest. */
  hold(lane: string, delayMs: number): Promise<void>;
  /** A call of this lane has been answered. */
  passed(lane: string): void;
}

/** Creates a gate without a call that waits. */
export function createGate(clock: Clock): Gate {
  const held = new Map<string, AbortController>();
  return {
    get isHolding() {
      return held.size > 0;
    },
    canHold: (lane) => !held.has(lane),
    async hold(lane, delayMs) {
      const until = new AbortController();
      held.set(lane, until);
      await clock.pause(delayMs, until.signal, 'background');
      if (held.get(lane) === until) held.delete(lane);
    },
    passed(lane) {
      const until = held.get(lane);
      held.delete(lane);
      until?.abort();
    },
  };
}
