import { createMemoryJournal, type MemoryJournal } from '../../../lib/rgs/journal/memory';
import type { Journal } from '../../../lib/rgs/journal/port';
import type { WalletLine } from '../../../lib/rgs/ports';

const never = new Promise<never>(() => {});

/** What a test waited for died with its process. */
export class Killed extends Error {}

/** A process that can be killed at an append: what it waits for then never comes. */
export class Process {
  readonly inner: MemoryJournal;
  /** Rejects once it is dead. */
  readonly killed: Promise<never>;
  isDead = false;
  /** Whether a kill that was planned is called off. */
  isImmortal = false;
  /** Appends so far. */
  appends = 0;
  #die: (error: Killed) => void = () => {};
  #plan: { at: number; isKept: boolean } | null = null;

  constructor(inner: MemoryJournal = createMemoryJournal()) {
    this.inner = inner;
    this.killed = new Promise((_, reject) => {
      this.#die = reject;
    });
    this.killed.catch(() => {});
  }

  /** Kills it at this append from now, which the journal keeps or not. */
  killAt(at: number, isKept: boolean): void {
    this.#plan = { at: this.appends + at, isKept };
  }

  kill(): void {
    this.isDead = true;
    this.#die(new Killed());
  }

  /** What the next process finds. */
  next(): Process {
    return new Process(this.inner.reopen());
  }

  journal(): Journal {
    const { inner } = this;
    return {
      append: async (events) => {
        if (this.isDead) return never;
        this.appends += 1;
        const isLast = !this.isImmortal && this.#plan !== null && this.appends > this.#plan.at;
        if (!isLast || this.#plan?.isKept) await inner.append(events);
        if (!isLast) return undefined;
        this.kill();
        return never;
      },
      replay: () => inner.replay(),
      compact: (snapshot) => (this.isDead ? never : inner.compact(snapshot)),
      needsCompaction: () => inner.needsCompaction(),
      close: () => inner.close(),
    };
  }

  /** The wallet as this process reaches it. */
  line(wallet: WalletLine): WalletLine {
    return {
      doTransactions: async (call) => {
        if (this.isDead) return never;
        const answer = await wallet.doTransactions(call);
        return this.isDead ? never : answer;
      },
      getBalance: (question) => (this.isDead ? never : wallet.getBalance(question)),
    };
  }
}
