import type { Clock, TimerKind } from './clock';
import { nextTurn } from './turn';

/** A clock that can be moved on: real time, and what it was advanced by (E1.3). */
export interface MovableClock extends Clock {
  /** How far it is ahead of the clock below it, in milliseconds. */
  readonly aheadMs: number;
  /**
   * Moves the clock on. Timers that fall due on the way fire in their order, each at its own time, and what
   * they started is waited for. Moves one after the other. There is no way back.
   * @param ms A whole number of milliseconds, 0 or more.
   * @throws TypeError for any other number.
   */
  advance(ms: number): Promise<void>;
}

interface Timer {
  /** On this clock's `monotonicMs`. */
  readonly dueAt: number;
  /** Of timers that fall due together, the one set first fires first. */
  readonly order: number;
  readonly work: () => void;
  readonly kind: TimerKind | undefined;
  /** Takes the timer of the clock below back. */
  cancel: () => void;
}

/**
 * A clock that runs with the one below it, and can be moved on.
 * @param settled Resolves once the work that a timer started is done; the next turn of the event loop
 * unless given.
 */
export function createMovableClock(
  below: Clock,
  settled: () => Promise<void> = nextTurn,
): MovableClock {
  const timers = new Set<Timer>();
  let ahead = 0;
  let order = 0;
  let moving: Promise<void> = Promise.resolve();

  const monotonicMs = (): number => below.monotonicMs() + ahead;
  const fire = (timer: Timer): void => {
    timers.delete(timer);
    timer.cancel();
    timer.work();
  };
  const arm = (timer: Timer): void => {
    timer.cancel();
    const leftMs = Math.max(0, timer.dueAt - monotonicMs());
    timer.cancel = below.after(leftMs, () => fire(timer), timer.kind);
  };
  const after = (ms: number, work: () => void, kind?: TimerKind): (() => void) => {
    const dueAt = monotonicMs() + Math.max(0, ms);
    const timer: Timer = { dueAt, order: order++, work, kind, cancel: () => {} };
    timers.add(timer);
    arm(timer);
    return () => {
      timers.delete(timer);
      timer.cancel();
    };
  };
  const move = async (ms: number): Promise<void> => {
    let left = ms;
    try {
      for (;;) {
        const next = firstOf(timers, monotonicMs() + left);
        if (next === null) break;
        const step = Math.min(left, Math.max(0, next.dueAt - monotonicMs()));
        ahead += step;
        left -= step;
        fire(next);
        await settled();
      }
    } finally {
      ahead += left;
      for (const timer of timers) arm(timer);
    }
  };
  return {
    get aheadMs() {
      return ahead;
    },
    now: () => below.now() + ahead,
    monotonicMs,
    after,
    pause: (ms, signal, kind) => pause(after, ms, signal, kind),
    advance: (ms) => {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new TypeError('advance: ms must be a whole number, 0 or more');
      }
      const moved = moving.then(() => move(ms));
      moving = moved.catch(() => {});
      return moved;
    },
  };
}

/** The timer that falls due first, by then; null if there is none. */
function firstOf(timers: ReadonlySet<Timer>, end: number): Timer | null {
  let first: Timer | null = null;
  for (const timer of timers) {
    if (timer.dueAt > end) continue;
    if (first === null || timer.dueAt < first.dueAt) first = timer;
    else if (timer.dueAt === first.dueAt && timer.order < first.order) first = timer;
  }
  return first;
}

function pause(
  after: Clock['after'],
  ms: number,
  signal?: AbortSignal,
  kind?: TimerKind,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = after(ms, done, kind);
    signal?.addEventListener('abort', done);
  });
}
