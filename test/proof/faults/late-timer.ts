import type { Clock } from '../../../lib/platform';

/** A clock whose timer of one length runs down when a test says so, and which is otherwise another. */
export class LateTimer {
  readonly clock: Clock;
  #work: (() => void) | null = null;
  #onArmed = (): void => {};

  constructor(real: Clock, lengthMs: number) {
    this.clock = {
      ...real,
      after: (ms, work) => (ms === lengthMs ? this.arm(work) : real.after(ms, work)),
    };
  }

  /** Lets the timer run down. @throws Error where none waits. */
  fire(): void {
    const work = this.#work;
    if (work === null) throw new Error('no timer waits');
    this.#work = null;
    work();
  }

  /** Resolves once a timer waits. */
  async rearmed(): Promise<void> {
    if (this.#work !== null) return;
    await new Promise<void>((resolve) => {
      this.#onArmed = resolve;
    });
  }

  private arm(work: () => void): () => void {
    this.#work = work;
    this.#onArmed();
    return () => {
      this.#work = null;
    };
  }
}
