import type { LoopTime } from '../../lib/platform';

/** An event loop whose time passes only when a test says so. */
export class TestLoop implements LoopTime {
  private now = 1000;
  private slept = 500;
  private readonly waiting: (() => void)[] = [];

  /** What passes after each reading of the time: a call takes as long. */
  costMs = 0;

  readonly nowMs = (): number => {
    const { now } = this;
    this.now += this.costMs;
    return now;
  };
  readonly sleptMs = (): number => this.slept;
  readonly afterTurn = (work: () => void): void => void this.waiting.push(work);

  /** Works that wait for the end of the turn. */
  get watchers(): number {
    return this.waiting.length;
  }

  work(ms: number): void {
    this.now += ms;
  }

  sleep(ms: number): void {
    this.now += ms;
    this.slept += ms;
  }

  endTurn(): void {
    for (const work of this.waiting.splice(0)) work();
  }
}
