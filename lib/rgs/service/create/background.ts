import type { Logger } from '../../../platform';

/** Work that no call waits for. */
export interface Background {
  /** Keeps track of work; an error of it is logged. */
  add(work: Promise<unknown>): void;
  /** Logs an error that no caller gets. */
  report(error: unknown): void;
  /** Resolves once no work is left. */
  idle(): Promise<void>;
}

/** No work at first. */
export function createBackground(logger: Logger): Background {
  const atWork = new Set<Promise<unknown>>();
  const report = (error: unknown): void => {
    logger.error({ err: error }, 'work in the background failed');
  };
  return {
    add(work) {
      const ended = work.catch(report).finally(() => atWork.delete(ended));
      atWork.add(ended);
    },
    report,
    async idle() {
      while (atWork.size > 0) await Promise.allSettled(atWork);
    },
  };
}
