import { setImmediate as nextTurn } from 'node:timers/promises';

interface Timer {
  readonly dueAt: number;
  readonly id: number;
  readonly work: () => void;
}

/** What setTimeout hands out here. */
interface Handle {
  readonly id: number;
  ref(): Handle;
  unref(): Handle;
  hasRef(): boolean;
}

/**
 * Puts time under the control of a test: the wall clock, the monotonic one and the timers of this realm stand still
 * while anything is at work, and leap to the next timer when everything waits. So a deadline of seconds passes at
 * once, and never because the machine is busy. Only for work that needs no I/O.
 */
export class VirtualTime {
  private readonly startedAt = Date.now();
  /** Milliseconds since the start: what timers go by. */
  private elapsed = 0;
  /** How far the wall clock was set, forward or back. */
  private wallShift = 0;
  private lastId = 0;
  private readonly timers = new Map<number, Timer>();
  private readonly real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    now: Date.now,
  };

  /** From now on, until {@link uninstall}. */
  install(): void {
    const start = (work: () => void, ms = 0): Handle => this.start(work, ms);
    const stop = (handle?: { readonly id?: number }): void => {
      if (handle?.id !== undefined) this.timers.delete(handle.id);
    };
    globalThis.setTimeout = start as unknown as typeof globalThis.setTimeout;
    globalThis.clearTimeout = stop as unknown as typeof globalThis.clearTimeout;
    Date.now = () => this.startedAt + this.wallShift + this.elapsed;
    performance.now = () => this.elapsed;
  }

  uninstall(): void {
    globalThis.setTimeout = this.real.setTimeout;
    globalThis.clearTimeout = this.real.clearTimeout;
    Date.now = this.real.now;
    Reflect.deleteProperty(performance, 'now'); // what it has from its class is then seen again
  }

  /** Sets the wall clock forward, or back, by so many milliseconds; timers and the monotonic clock do not notice. */
  setWallClock(byMs: number): void {
    this.wallShift += byMs;
  }

  /** Lets time pass until the work is done. @throws Error where nothing is left that it waits for. */
  async run<T>(work: Promise<T>): Promise<T> {
    const progress = { isDone: false };
    const watched = work.finally(() => {
      progress.isDone = true;
    });
    // It is looked at in the end, and must not be taken for unhandled before.
    watched.catch(() => {});
    for (;;) {
      await nextTurn();
      if (progress.isDone) return watched;
      if (!this.leap(Number.POSITIVE_INFINITY)) throw new Error('it waits for ever');
    }
  }

  /** Lets so much time pass, in milliseconds, and all that falls due in it happen. */
  async pass(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    do await nextTurn();
    while (this.leap(end));
    this.elapsed = end;
  }

  /** Forgets all timers: whoever waits for one waits for ever. */
  forget(): void {
    this.timers.clear();
  }

  private start(work: () => void, ms: number): Handle {
    const id = ++this.lastId;
    this.timers.set(id, { id, dueAt: this.elapsed + Math.max(1, ms), work });
    const handle: Handle = { id, ref: () => handle, unref: () => handle, hasRef: () => true };
    return handle;
  }

  /** To the next timer that is due by then; whether there was one. */
  private leap(end: number): boolean {
    let next: Timer | null = null;
    for (const timer of this.timers.values()) {
      if (next === null || timer.dueAt < next.dueAt) next = timer;
    }
    if (next === null || next.dueAt > end) return false;
    this.timers.delete(next.id);
    this.elapsed = Math.max(this.elapsed, next.dueAt);
    next.work();
    return true;
  }
}
