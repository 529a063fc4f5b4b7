import type { Clock } from '../../../lib/platform';
import type { World } from './scheduler';

/**
 * The lifetime of one process. After its end no timer of it fires and no answer reaches it. What it has sent is
 * on its way.
 */
export class Lifetime {
  isAlive = true;
  /** Whether it reaches its store. */
  isPartitioned = false;
  readonly clock: Clock;
  private readonly atEnd = new Set<() => void>();

  /** `skewMs`: how far its wall clock is off. */
  constructor(
    readonly world: World,
    skewMs: number,
  ) {
    const { clock } = world;
    const after: Clock['after'] = (ms, work) => {
      return clock.after(ms, () => {
        if (this.isAlive) work();
      });
    };
    this.clock = {
      now: () => clock.now() + skewMs,
      monotonicMs: clock.monotonicMs,
      after,
      pause: (ms, signal) => clock.pause(ms, signal).then(() => this.wait()),
    };
  }

  /** Ends it; its connections break. */
  end(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const work of this.atEnd) work();
    this.atEnd.clear();
  }

  /** Calls this at the end, or at once if it has ended already. The returned function cancels that. */
  onEnd(work: () => void): () => void {
    if (!this.isAlive) work();
    else this.atEnd.add(work);
    return () => void this.atEnd.delete(work);
  }

  private wait(): Promise<void> | undefined {
    return this.isAlive ? undefined : forEver();
  }
}

/** A promise that never settles. Created anew each time, so that what awaits it can be collected with it. */
export function forEver<T>(): Promise<T> {
  return new Promise(() => {});
}
