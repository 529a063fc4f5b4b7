import type { Clock, Random } from '../../../platform';
import type { Executor } from './connections/executor';
import { functions } from './schema/functions';

/** How many rounds one statement deletes: first, and at most after full batches. */
const batchSize = { first: 100, most: 1000 } as const;
const longestPauseMs = 60_000;
const shortestPauseMs = 200;

/**
 * Deletes expired rounds (D10) in the background, so that no call has to. Any number of processes may do so
 * concurrently: each skips rounds that another has locked. No answer depends on it: an expired round is
 * invisible, deleted or not.
 */
export class RetentionCleaner {
  #cancel: (() => void) | null = null;
  #isClosed = false;
  #batch: number = batchSize.first;
  /** Expiry time of the last deleted round; null before the first. */
  #reached: string | null = null;
  /** Expiry time from which the next batch searches; null for the earliest, where each run begins. */
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
   * Deletes one batch and schedules the next.
   *
   * After a full batch, a larger one soon continues where it ended. Searching from the earliest round again would
   * read all the deleted rows, for as long as an old transaction keeps them from being vacuumed. Rounds that were
   * skipped, because they were locked or not committed yet, are deleted by the next run.
   *
   * After a time-out, a small batch is tried later. It alternates between the earliest round and the last deleted
   * one: the dead rows at the start may alone take longer than the time-out.
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
