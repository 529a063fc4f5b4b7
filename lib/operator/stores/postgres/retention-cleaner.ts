import type { Executor } from './connections/executor';
import { functions } from './schema/functions';

/** Rounds deleted by one statement. */
const batchSize = 100;
const longestPauseMs = 60_000;
const shortestPauseMs = 200;

/**
 * Deletes rounds whose retention is over (D10), now and then, so that no call has to. Any number of processes may do
 * so at once: each leaves what another has in hand. Nothing rests on it, for an expired round is not seen anyway.
 */
export class RetentionCleaner {
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(
    private readonly executor: Executor,
    private readonly retentionMs: number,
  ) {}

  /** Begins, unless it has begun. */
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

  /** A full batch is followed soon by the next; a server that does not answer is asked again later. */
  private async clean(): Promise<void> {
    try {
      const [line] = await this.executor.run(functions.forgetRounds, [batchSize]);
      const isFull = Number(line?.[0]) >= batchSize;
      this.schedule(isFull ? shortestPauseMs / 4 : this.pauseMs());
    } catch {
      this.schedule(this.pauseMs());
    }
  }

  /** At random, so that processes that were started together do not clean together. */
  private pauseMs(): number {
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, this.retentionMs / 2));
    return pauseMs * (0.5 + Math.random());
  }
}
