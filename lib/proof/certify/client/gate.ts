import type { Clock } from '../../../platform';

/** Most time that the first call waits for the others, in milliseconds: a wallet may take fewer connections at once. */
const maxWaitMs = 5000;

/**
 * Lets calls go at the same time. Each waits with its headers sent and its body held back until all of them have a
 * connection; then all bodies are written, with nothing between them.
 */
export class Gate {
  readonly #held: (() => void)[] = [];
  #cancel = (): void => undefined;
  #missing: number;
  #openedMs: number | null = null;
  #spreadMs = 0;

  /** @param count Calls that will come, or leave. */
  constructor(
    private readonly clock: Clock,
    count: number,
  ) {
    this.#missing = count;
  }

  /** When the calls went, by the monotonic clock; null before. */
  get openedMs(): number | null {
    return this.#openedMs;
  }

  /** Milliseconds from the first body to the last so far; endless if one came too late. */
  get spreadMs(): number {
    return this.#missing > 0 ? Infinity : this.#spreadMs;
  }

  /** A call has its connection: `go` writes its body, at once if the others are gone. */
  ready(go: () => void): void {
    if (this.#openedMs !== null) {
      this.#spreadMs = this.clock.monotonicMs() - this.#openedMs;
      return go();
    }
    if (this.#held.length === 0) this.#cancel = this.clock.after(maxWaitMs, () => this.open());
    this.#held.push(go);
    this.leave();
  }

  /** A call that was ready has lost its connection, and looks for another one: the others wait for it again. */
  waitAgain(): void {
    if (this.#openedMs === null) this.#missing += 1;
  }

  /** The others need not wait for this call. */
  leave(): void {
    if (this.#openedMs !== null) return;
    this.#missing -= 1;
    if (this.#missing === 0) this.open();
  }

  /** Lets go what is held. */
  open(): void {
    if (this.#openedMs !== null) return;
    this.#cancel();
    this.#openedMs = this.clock.monotonicMs();
    for (const go of this.#held.splice(0)) go();
    this.#spreadMs = this.clock.monotonicMs() - this.#openedMs;
  }
}
