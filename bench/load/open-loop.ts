/** The share of the due calls that may be unanswered at the end, where a contestant is said to hold the rate. */
const unansweredAllowed = 0.05;

/** What a loop goes by, in milliseconds and their fractions. */
export interface LoopTime {
  now(): number;
  after(ms: number, work: () => void): unknown;
}

const machineTime: LoopTime = {
  now: () => performance.now(),
  after: (ms, work) => setTimeout(work, ms),
};

/** What an open loop saw. */
export interface OpenLoop {
  /** Calls that were to be sent. */
  readonly due: number;
  /** Of each call, from the time it was to be sent to its answer. */
  readonly latencies: readonly number[];
  readonly lateness: readonly number[];
  /** Calls answered within the time. */
  readonly inTime: number;
  readonly isHeld: boolean;
}

/**
 * Sends at the times of a schedule, whatever was answered, over the connections that are free. A call that has to wait
 * for one, or for a load that is late, is counted from the time it was to be sent: a contestant that stalls is told the
 * waiting of all who would have called meanwhile. What is due is sent though the time is over, unless so much is that
 * the contestant does not hold the rate.
 */
export class OpenLoopRun<Connection> {
  private readonly latencies: number[] = [];
  private readonly lateness: number[] = [];
  private readonly free: Connection[];
  private readonly startedAt: number;
  private next = 0;
  private inWork = 0;
  private inTime = 0;
  private isBlocked = false;
  private isGivenUp = false;
  private hasEnded = false;
  private finish: () => void = () => {};

  constructor(
    connections: readonly Connection[],
    private readonly schedule: Float64Array,
    private readonly seconds: number,
    /** Plays one call; resolves to whether the run may go on. */
    private readonly play: (connection: Connection) => Promise<boolean>,
    private readonly onEnd: () => void,
    private readonly time = machineTime,
  ) {
    this.startedAt = time.now();
    this.free = [...connections];
  }

  async run(): Promise<OpenLoop> {
    const done = new Promise<void>((resolve) => (this.finish = resolve));
    this.time.after(this.seconds * 1000, () => this.end());
    this.wait();
    await done;
    const { latencies, lateness, inTime } = this;
    return { due: this.schedule.length, latencies, lateness, inTime, isHeld: !this.isGivenUp };
  }

  private now(): number {
    return this.time.now() - this.startedAt;
  }

  /** A timer is late by up to a millisecond; to wait in a loop instead would take a core from the contestant. */
  private wait(): void {
    const due = this.schedule[this.next];
    if (due === undefined || this.isGivenUp) return;
    this.time.after(due - this.now(), () => {
      this.send();
      this.wait();
    });
  }

  private send(): void {
    for (let now = this.now(); !this.isGivenUp; now = this.now()) {
      const due = this.schedule[this.next];
      if (due === undefined || due > now) {
        this.isBlocked = false;
        return;
      }
      const connection = this.free.pop();
      if (connection === undefined) {
        this.isBlocked = true;
        return;
      }
      this.next += 1;
      if (!this.isBlocked) this.lateness.push(now - due);
      void this.call(connection, due);
    }
  }

  private async call(connection: Connection, due: number): Promise<void> {
    this.inWork += 1;
    const goesOn = await this.play(connection);
    const now = this.now();
    this.latencies.push(now - due);
    if (now < this.seconds * 1000) this.inTime += 1;
    this.inWork -= 1;
    this.free.push(connection);
    if (!goesOn) this.isGivenUp = true;
    this.send();
    this.finishIfDone();
  }

  private end(): void {
    this.onEnd();
    this.hasEnded = true;
    const unanswered = this.schedule.length - this.latencies.length;
    if (unanswered > this.schedule.length * unansweredAllowed) this.isGivenUp = true;
    this.send();
    this.finishIfDone();
  }

  private finishIfDone(): void {
    const isAllSent = this.next === this.schedule.length || this.isGivenUp;
    if (this.hasEnded && isAllSent && this.inWork === 0) this.finish();
  }
}
