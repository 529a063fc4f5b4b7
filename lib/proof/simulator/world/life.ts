import type { Clock } from '../../../platform';
import type { World } from './scheduler';

/**
 * One life of a process. When it ends, nothing that it waits for comes any more: its timers do not fire, and
 * no answer reaches it. What it has sent is on its way.
 */
export class Life {
  isAlive = true;
  /** Whether it reaches its store. */
  isPartitioned = false;
  readonly clock: Clock;
  private readonly mourners = new Set<() => void>();

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
  die(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const mourn of this.mourners) mourn();
    this.mourners.clear();
  }

  /** Called when it ends, at once if it has ended already; the returned function takes that back. */
  onDeath(work: () => void): () => void {
    if (!this.isAlive) work();
    else this.mourners.add(work);
    return () => void this.mourners.delete(work);
  }

  private wait(): Promise<void> | undefined {
    return this.isAlive ? undefined : forEver();
  }
}

/** Nobody answers any more. A promise of its own each time: who waits for it is forgotten with it. */
export function forEver<T>(): Promise<T> {
  return new Promise(() => {});
}
