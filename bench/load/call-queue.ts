import type { Call, CallMaker } from './calls';

/** Calls in the order made: those that were made beforehand, and then others, which are counted. */
export class CallQueue {
  private readonly prepared: Call[] = [];
  private taken = 0;
  /** Calls that were made when they were asked for. */
  madeLate = 0;

  constructor(private readonly make: CallMaker) {}

  /** Makes so many beforehand. */
  prepare(count: number): void {
    for (let made = 0; made < count; made += 1) this.prepared.push(this.make());
  }

  /** The next call. */
  take(): Call {
    const next = this.prepared[this.taken];
    if (next === undefined) {
      this.madeLate += 1;
      return this.make();
    }
    this.taken += 1;
    return next;
  }
}
