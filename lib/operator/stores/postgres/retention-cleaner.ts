import type { Clock, Random } from '../../../platform';
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
  #cancel: (() => void) | null = null;
  #isClosed = false;

  constructor(
    private readonly executor: Executor,
    private readonly retentionMs: number,
    private readonly ports: { readonly clock: Clock; readonly random: Random },
  ) {}

  /** Starts, unless it runs already. */
  start(): void {
    if (this.#cancel === null) this.schedule(this.pauseMs());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  private schedule(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.ports.clock.after(pauseMs, () => void this.clean(), 'background');
  }

  /** After a full batch the next one follows soon; a server that does not answer is tried again later. */
  private async clean(): Promise<void> {
    try {
      const [line] = await this.executor.run(functions.forgetRounds, { at_most: batchSize });
      const isFull = Number(line?.[0]) >= batchSize;
      this.schedule(isFull ? shortestPauseMs / 4 : this.pauseMs());
    } catch {
      this.schedule(this.pauseMs());
    }
  }

  /** Random, so that processes that start together do not clean together. */
  private pauseMs(): number {
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, this.retentionMs / 2));
    return pauseMs * (0.5 + this.ports.random.next());
  }
}
