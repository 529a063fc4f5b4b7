import type { Clock } from '../../../platform';
import type { Journal } from '../../journal';
import type { ProviderLine, WalletLine } from '../../service/lines';

/** The time in which one process of the service is alive. */
export interface Life {
  readonly isOver: boolean;
  /** The outcome of work; nothing, for ever, if the process is dead by then. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Calls this when the process dies, unless the returned function was called before. */
  onEnd(work: () => void): () => void;
  /** Kills the process: from now on it reads no answer, writes no event and sends no request. */
  end(): void;
}

/** A process that has just started. */
export function createLife(): Life {
  const atEnd = new Set<() => void>();
  let isOver = false;
  return {
    get isOver() {
      return isOver;
    },
    guard: (work) =>
      new Promise((resolve, reject) => {
        if (isOver) return;
        work().then(
          (value) => (isOver ? undefined : resolve(value)),
          (error: unknown) => (isOver ? undefined : reject(error)),
        );
      }),
    onEnd(work) {
      atEnd.add(work);
      return () => void atEnd.delete(work);
    },
    end() {
      isOver = true;
      for (const work of atEnd) work();
    },
  };
}

/** A clock whose timers die with the process. */
export function mortalClock(clock: Clock, life: Life): Clock {
  const cancels = new Set<() => void>();
  life.onEnd(() => {
    for (const cancel of cancels) cancel();
  });
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    pause: (ms, signal, kind) => life.guard(() => clock.pause(ms, signal, kind)),
    after(ms, work, kind) {
      if (life.isOver) return () => {};
      const taken = (): void => {
        cancels.delete(cancel);
        if (!life.isOver) work();
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

/** A journal that takes nothing from a dead process; what was being written may be durable or not. */
export function mortalJournal(journal: Journal, life: Life): Journal {
  return {
    append: (events) => life.guard(() => journal.append(events)),
    replay: () => journal.replay(),
    compact: (snapshot) => life.guard(() => journal.compact(snapshot)),
    needsCompaction: () => !life.isOver && journal.needsCompaction(),
    close: () => journal.close(),
  };
}

/** A line to the wallets that a dead process neither uses nor hears. */
export function mortalWallet(line: WalletLine, life: Life): WalletLine {
  return {
    doTransactions: (call) => life.guard(() => line.doTransactions(call)),
    getBalance: (question) => life.guard(() => line.getBalance(question)),
  };
}

/** A line to the providers that a dead process neither uses nor hears. */
export function mortalProvider(line: ProviderLine, life: Life): ProviderLine {
  return {
    getGameConfiguration: (game) => life.guard(() => line.getGameConfiguration(game)),
    doAutoClose: (round) => life.guard(() => line.doAutoClose(round)),
    getGameResult: (round) => life.guard(() => line.getGameResult(round)),
    health: (id) => life.guard(() => line.health(id)),
    certifiedFiles: (id) => life.guard(() => line.certifiedFiles(id)),
  };
}
