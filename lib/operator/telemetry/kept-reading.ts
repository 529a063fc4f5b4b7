import type { Clock } from '../../platform';
import { within } from '../../platform/within';

/** How long what was read is shown again, and how long at most while reading fails, in milliseconds. */
const keptMs = 15_000;
const longestKeptMs = 300_000;

/** How long a reader waits; what is read later is shown at the next reading. */
const patienceMs = 2_000;

/** A reading that costs the store: it is made only on a scrape, and kept a while. */
export class KeptReading<T> {
  #found: { readonly value: T; readonly at: number } | null = null;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly read: () => Promise<T>,
    private readonly onFailure: () => void,
  ) {}

  /** What was read last, at most 15 seconds ago unless reading fails; null if that is long ago. Never rejects. */
  async latest(): Promise<T | null> {
    const { clock } = this;
    if (!this.isYounger(keptMs)) {
      this.#reading ??= this.readNow().finally(() => {
        this.#reading = null;
      });
      await within(clock, patienceMs, this.#reading, { late: () => {} });
    }
    return this.isYounger(longestKeptMs + 1) ? (this.#found?.value ?? null) : null;
  }

  private isYounger(ms: number): boolean {
    return this.#found !== null && this.clock.monotonicMs() - this.#found.at < ms;
  }

  private async readNow(): Promise<void> {
    try {
      this.#found = { value: await this.read(), at: this.clock.monotonicMs() };
    } catch {
      this.onFailure();
    }
  }
}
