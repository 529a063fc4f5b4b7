import { type Clock, systemClock, type TimerKind } from '../../lib/platform';
import { VirtualClock } from '../../lib/platform/virtual-clock';

/**
 * A clock for rigs whose calls come over HTTP. Its deadlines stand still, so that none passes because the machine is
 * busy; it leaps to the next one when something says that it waits: a pause of a call, or a store that hangs. The wall
 * clock and the pauses of the background are the machine's.
 */
export class LeapingClock implements Clock {
  readonly #time = new VirtualClock();
  readonly now = (): number => systemClock.now();
  readonly monotonicMs = this.#time.monotonicMs;
  readonly after = this.#time.after;

  readonly pause = async (ms: number, signal?: AbortSignal, kind?: TimerKind): Promise<void> => {
    if (kind === 'background') return systemClock.pause(ms, signal);
    const progress = { isOver: false };
    const paused = this.#time.pause(ms, signal);
    setImmediate(() => {
      if (!progress.isOver) this.#time.leap();
    });
    await paused;
    progress.isOver = true;
  };

  /** Leaps to the next timer, once those of the work at hand are set. */
  readonly leapSoon = (): void => void setImmediate(() => this.#time.leap());
}
