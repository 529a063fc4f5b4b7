import type { Clock } from '../../../platform';
import type { Journal } from '../../journal/port';
import type { ProviderLine, WalletLine } from '../../ports';

/** The time in which one process of the service is alive. */
export class Lifetime {
  readonly #atEnd = new Set<() => void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The outcome of work; never settles if the process is dead by then. */
  guard<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return;
      work().then(
        (value) => (this.#isOver ? undefined : resolve(value)),
        (error: unknown) => (this.#isOver ? undefined : reject(error)),
      );
    });
  }

  /** Calls this when the process dies, unless the returned function was called before. */
  onEnd(work: () => void): () => void {
    this.#atEnd.add(work);
    return () => void this.#atEnd.delete(work);
  }

  /** Kills the process: from now on it reads no answer, writes no event and sends no request. */
  end(): void {
    this.#isOver = true;
    for (const work of this.#atEnd) work();
  }
}

/** A clock that drops its timers when the process dies. */
export function processClock(clock: Clock, lifetime: Lifetime): Clock {
  const cancels = new Set<() => void>();
  lifetime.onEnd(() => {
    for (const cancel of cancels) cancel();
  });
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    pause: (ms, signal, kind) => lifetime.guard(() => clock.pause(ms, signal, kind)),
    after(ms, work, kind) {
      if (lifetime.isOver) return () => {};
      const taken = (): void => {
        cancels.delete(cancel);
        if (!lifetime.isOver) work();
      };
      const below = clock.after(ms, taken, kind);
      const cancel = (): void => {
        cancels.delete(cancel);
        below();
      };
      cancels.add(cancel);
      return cancel;
    },
  };
}

/** A journal that ignores a dead process; a write in progress may be durable or not. */
export function processJournal(journal: Journal, lifetime: Lifetime): Journal {
  return {
    append: (events) => lifetime.guard(() => journal.append(events)),
    replay: () => journal.replay(),
    compact: (snapshot) => lifetime.guard(() => journal.compact(snapshot)),
    needsCompaction: () => !lifetime.isOver && journal.needsCompaction(),
    close: () => journal.close(),
  };
}

/**
 * Wallet calls of a process: none is sent, and no answer arrives, once it is dead. They wait until it has started: the
 * accounts of what it sends before need its earlier rounds.
 */
export function processWallet(
  line: WalletLine,
  lifetime: Lifetime,
  starting: () => Promise<void>,
): WalletLine {
  const started = <T>(work: () => Promise<T>): Promise<T> =>
    lifetime.guard(() => starting().then(work));
  return {
    doTransactions: (call) => started(() => line.doTransactions(call)),
    getBalance: (question) => started(() => line.getBalance(question)),
  };
}

/** Provider calls of a process: none is sent, and no answer arrives, once it is dead. */
export function processProvider(line: ProviderLine, lifetime: Lifetime): ProviderLine {
  return {
    getGameConfiguration: (game) => lifetime.guard(() => line.getGameConfiguration(game)),
    doAutoClose: (round) => lifetime.guard(() => line.doAutoClose(round)),
    getGameResult: (round) => lifetime.guard(() => line.getGameResult(round)),
    health: (id) => lifetime.guard(() => line.health(id)),
    certifiedFiles: (id) => lifetime.guard(() => line.certifiedFiles(id)),
  };
}
