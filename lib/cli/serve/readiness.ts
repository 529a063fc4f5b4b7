import type { Clock } from '../../platform';
import { within } from '../../platform/within';

/** How long a result is reused, and the time limit of a check, in milliseconds. */
const keptMs = 1_000;
const timeoutMs = 2_000;

/**
 * Whether a store is ready, for probes that anyone may send. One check of the store runs at a time, and
 * its result is reused for a second.
 */
export class Readiness {
  #found: { readonly isReady: boolean; readonly at: number } | null = null;
  /** The answer of the running check; false once it is late. */
  #answer: Promise<boolean> | null = null;

  constructor(
    private readonly look: () => Promise<void>,
    private readonly clock: Pick<Clock, 'monotonicMs' | 'after'>,
  ) {}

  /** Never rejects. */
  isReady(): Promise<boolean> {
    const found = this.#found;
    if (found !== null && this.clock.monotonicMs() - found.at < keptMs) {
      return Promise.resolve(found.isReady);
    }
    this.#answer ??= this.begin();
    return this.#answer;
  }

  private begin(): Promise<boolean> {
    const looked = this.look().then(
      () => true,
      () => false,
    );
    const found = looked.then((isReady) => {
      this.#found = { isReady, at: this.clock.monotonicMs() };
      this.#answer = null;
      return isReady;
    });
    return within(this.clock, timeoutMs, found, notInTime);
  }
}

const notInTime = { late: () => false };
