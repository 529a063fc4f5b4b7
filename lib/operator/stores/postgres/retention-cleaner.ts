import type { Executor } from './connections/executor';
import { functions } from './schema/functions';

/** Rounds deleted by one statement. */
const batchSize = 100;
const longestPauseMs = 60_000;
const shortestPauseMs = 200;

/**
 * Deletes rounds whose retention is over (D10), from time to time, so that no call has to. Any number of
 * processes may do so concurrently: each skips rounds that another has locked. Nothing depends on it: an
 * expired round is invisible anyway.
 */
export class RetentionCleaner {
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(
    private readonly executor: Executor,
    private readonly retentionMs: number,
  ) {}

  /** Starts, unless it runs already. */
  start(): void {
    if (this.#timer === null) this.schedule(this.pauseMs());
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  private schedule(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.clean(), pauseMs);
    this.#timer.unref();
  }

  /** After a full batch the next one follows soon; a server that does not answer is tried again later. */
  private async clean(): Promise<void> {
    try {
      const [line] = await this.executor.run(functions.forgetRounds, [batchSize]);
      const isFull = Number(line?.[0]) >= batchSize;
      this.schedule(isFull ? shortestPauseMs / 4 : this.pauseMs());
    } catch {
      this.schedule(this.pauseMs());
    }
  }

  /** Random, so that processes that start together do not clean together. */
  private pauseMs(): number {
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, this.retentionMs / 2));
    return pauseMs * (0.5 + Math.random());
  }
}
