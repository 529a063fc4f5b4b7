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
