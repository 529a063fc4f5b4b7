import type { Clock } from './clock';
import { nextTurn } from './turn';

// Taken once: where globals are looked up by interceptors, as under a test runner, that is most of the time.
const { max, trunc } = Math;

/**
 * A clock for tests without sleeping. It stops while any work runs, and then leaps to the next timer
 * when everything waits: a time limit of seconds passes at once, and never because the machine is busy. It
 * sees work that takes microtasks, or few enough turns of the event loop; it does not see sockets and files.
 */
export class VirtualClock implements Clock {
  /** Milliseconds since the start: what timers use. */
  private elapsed = 0;
  /** How far the wall clock was set, forward or back. */
  private wallShift = 0;
  private readonly timers = new TimerHeap();

  /**
   * @param startedAt What the wall clock shows at the start, in milliseconds since 1970.
   * @param turns Turns of the event loop in which current work gets ahead before the clock leaps.
   */
  constructor(
    private readonly startedAt = Date.now(),
    private readonly turns = 1,
  ) {}

  // Bound, so that one of them can be replaced: `{ ...clock, now: () => 0 }`.
  readonly now = (): number => this.startedAt + this.wallShift + this.elapsed;

  readonly monotonicMs = (): number => trunc(this.elapsed);

  readonly pause = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        cancel();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.after(ms, done);
      signal?.addEventListener('abort', done);
    });

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer = this.timers.add(this.elapsed + max(1, ms), work);
    return () => this.timers.remove(timer);
  };

  /** Timers that wait. */
  get waiting(): number {
    return this.timers.size;
  }

  /** Sets the wall clock forward, or back, by this many milliseconds; timers and the monotonic clock do not notice. */
  setWallClock(byMs: number): void {
    this.wallShift += byMs;
  }

  /** Lets time pass until the work is done. @throws Error if no timer is left that could end the wait. */
  async run<T>(work: Promise<T>): Promise<T> {
    const progress = { isDone: false };
    const watched = work.finally(() => {
      progress.isDone = true;
    });
    // It is awaited in the end, and must not count as unhandled before.
    watched.catch(() => {});
    for (;;) {
      for (let turn = 0; turn < this.turns && !progress.isDone; turn++) await nextTurn();
      if (progress.isDone) return watched;
      if (!this.leap()) throw new Error('it waits for ever');
    }
  }

  /** Advances by `ms` and runs every timer due by then. */
  async pass(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    do for (let turn = 0; turn < this.turns; turn++) await nextTurn();
    while (this.leap(end));
    this.elapsed = end;
  }

  /** To the next timer that is due by then; whether there was one. */
  leap(end = Number.POSITIVE_INFINITY): boolean {
    const next = this.timers.first;
    if (next === undefined || next.dueAt > end) return false;
    this.timers.remove(next);
    this.elapsed = max(this.elapsed, next.dueAt);
    next.work();
    return true;
  }
}

/** Settings of {@link virtualClock}. */
export interface VirtualClockOptions {
  /** What it shows at first, in milliseconds since 1970; the time of its creation unless set. */
  readonly startedAt?: number;
  /** Turns of the event loop in which current work gets ahead before the clock leaps; 8 unless set. */
  readonly turns?: number;
}

/**
 * A {@link VirtualClock}, which stands in for the system's clock in tests without sleeping.
 * @throws TypeError that names the wrong option.
 */
export function virtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const { startedAt, turns = 8 } = options;
  if (startedAt !== undefined && !Number.isFinite(startedAt)) {
    throw new TypeError('virtualClock: startedAt must be milliseconds since 1970');
  }
  if (!Number.isSafeInteger(turns) || turns < 1) {
    throw new TypeError('virtualClock: turns must be a whole number above 0');
  }
  return new VirtualClock(startedAt, turns);
}

/** A timer of a {@link TimerHeap}. */
export interface HeapTimer {
  readonly dueAt: number;
  /** Of timers that fall due together, the one set first fires first. */
  readonly order: number;
  readonly work: () => void;
  /** Its place in the heap; below 0 once it is out. */
  at: number;
}

/** Timers by (time, order): each is added, taken and removed in the logarithm of their number. */
export class TimerHeap {
  private readonly timers: HeapTimer[] = [];
  private added = 0;

  /** Timers that wait. */
  get size(): number {
    return this.timers.length;
  }

  /** The timer that falls due first; undefined if there is none. */
  get first(): HeapTimer | undefined {
    return this.timers[0];
  }

  add(dueAt: number, work: () => void): HeapTimer {
    const timer: HeapTimer = { dueAt, order: this.added++, work, at: this.timers.length };
    this.timers.push(timer);
    this.rise(timer);
    return timer;
  }

  /** Takes a timer out; one that is out already stays so. */
  remove(timer: HeapTimer): void {
    const { at } = timer;
    if (at < 0) return;
    timer.at = -1;
    const last = this.timers.pop();
    if (last === undefined || last === timer) return;
    this.put(last, at);
    this.rise(last);
    this.sink(last);
  }

  private rise(timer: HeapTimer): void {
    while (timer.at > 0) {
      const parent = this.timers[(timer.at - 1) >> 1] as HeapTimer;
      if (!isBefore(timer, parent)) return;
      const { at } = parent;
      this.put(parent, timer.at);
      this.put(timer, at);
    }
  }

  private sink(timer: HeapTimer): void {
    for (;;) {
      const left = this.timers[2 * timer.at + 1];
      const right = this.timers[2 * timer.at + 2];
      if (left === undefined) return;
      const next = right !== undefined && isBefore(right, left) ? right : left;
      if (!isBefore(next, timer)) return;
      const { at } = next;
      this.put(next, timer.at);
      this.put(timer, at);
    }
  }

  private put(timer: HeapTimer, at: number): void {
    this.timers[at] = timer;
    timer.at = at;
  }
}

function isBefore(one: HeapTimer, other: HeapTimer): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.order < other.order);
}
