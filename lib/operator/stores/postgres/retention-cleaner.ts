import type { Clock, Random } from '../../../platform';
import type { Executor } from './connections/executor';
import { functions } from './schema/functions';

/** Rounds deleted by one statement: the first, and most of those that follow full ones. */
const batchSize = { first: 100, most: 1000 } as const;
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
  #batch: number = batchSize.first;
  /** When the round expired that was deleted last; null before the first. */
  #reached: string | null = null;
  /** Where the next batch begins; null for the earliest round, where each run begins. */
  #from: string | null = null;

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

  /**
   * After a full batch a larger one follows soon, behind it: as long as an old transaction is open, the deleted rows before
   * it would all be read again. What was left there, locked or not committed yet, is for the next run, from the earliest on. A
   * server that does not answer in time is tried again later, with a small batch, which needs to read fewer pages; from the
   * earliest and from behind what was deleted last by turns, since the dead rows at the start alone may take too long.
   */
  private async clean(): Promise<void> {
    const atMost = this.#batch;
    this.#batch = batchSize.first;
    try {
      const values = { at_most: atMost, from_us: this.#from };
      const [line] = await this.executor.run(functions.forgetExpired, values);
      const isFull = Number(line?.[0]) >= atMost;
      this.#reached = line?.[1] ?? this.#reached;
      this.#from = isFull ? this.#reached : null;
      if (isFull) this.#batch = Math.min(2 * atMost, batchSize.most);
      this.schedule(isFull ? shortestPauseMs / 4 : this.pauseMs());
    } catch {
      this.#from = this.#from === null ? this.#reached : null;
      this.schedule(this.pauseMs());
    }
  }

  /** Random, so that processes that start together do not clean together. */
  private pauseMs(): number {
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, this.retentionMs / 2));
    return pauseMs * (0.5 + this.ports.random.next());
  }
}
