import { readFileSync } from 'node:fs';
import { TimerHeap } from '../../lib/platform/virtual-clock';

const tickMs = 2;

/**
 * Time as the wallet has it, in milliseconds: it stands still while the wallet's process, its store or the load itself waits for a
 * processor, which on a busy machine is most of the time. So twice the load is twice what the process can do, whatever else
 * runs. So does the wallet's own clock (standing-clock.cjs).
 */
export class ServerTime {
  /** How long a process of the wallet has run, in the mean of them. */
  ranMs = 0;
  private readonly timers = new TimerHeap();
  private readonly waitedMs: number[] = [];
  private readonly pids: readonly number[];
  private readAt = performance.now();
  private elapsedMs = 0;
  private isStopped = false;

  /**
   * @param wallets The processes of the wallet.
   * @param others Of its store and of the load.
   */
  constructor(
    private readonly wallets: readonly number[],
    others: readonly number[],
  ) {
    this.pids = [...wallets, ...others];
    this.tick();
  }

  now(): number {
    return this.elapsedMs;
  }

  /** Returns a function that cancels the work. */
  after(ms: number, work: () => void): () => void {
    const timer = this.timers.add(this.now() + ms, work);
    return () => this.timers.remove(timer);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  stop(): void {
    this.isStopped = true;
  }

  private tick(): void {
    if (this.isStopped) return;
    const now = performance.now();
    this.ranMs = 0;
    const longestWait = Math.max(...this.pids.map((pid, at) => this.waitOf(pid, at)));
    this.elapsedMs += Math.max(0, now - this.readAt - longestWait);
    this.readAt = now;
    for (;;) {
      const { first } = this.timers;
      if (first === undefined || first.dueAt > this.elapsedMs) break;
      this.timers.remove(first);
      first.work();
    }
    setTimeout(() => this.tick(), tickMs);
  }

  /** How long its main thread has waited for a processor since the last reading. */
  private waitOf(pid: number, at: number): number {
    // Nanoseconds run, nanoseconds waited, slices.
    const [ran, waited] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number);
    const { length } = this.wallets;
    if (at < length) this.ranMs += (ran ?? 0) / 1e6 / length;
    const before = this.waitedMs[at];
    this.waitedMs[at] = (waited ?? 0) / 1e6;
    return before === undefined ? 0 : this.waitedMs[at] - before;
  }
}
