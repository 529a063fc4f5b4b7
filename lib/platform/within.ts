import type { Clock } from './clock';
import { afterThisTurn } from './turn';

/** Work that was not done within its time limit. */
export class TimeUpError extends Error {
  override readonly name = 'TimeUpError';

  constructor() {
    super('no answer in time');
  }
}

/** Further ways to end the wait of {@link within}, and their results. */
export interface WithinOptions<L> {
  /** Ends the wait when it aborts, and rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the replacement of a late answer, or throws; a {@link TimeUpError} unless set. */
  readonly late?: () => L;
  /** Returns the replacement of an error of the work, unless it is late. Not with a signal. */
  readonly failed?: (error: unknown) => L;
}

const noOptions: WithinOptions<never> = Object.freeze({});

/**
 * The outcome of running work, or a {@link TimeUpError} after this many milliseconds; a late outcome is
 * ignored. Removes its timer and listener. The work keeps the process alive, not the time limit:
 * a timer in the background is also the cheaper one.
 */
export function within<T, L = never>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<T>,
  { signal, late = timeIsUp, failed }: WithinOptions<L> = noOptions,
): Promise<T | L> {
  if (signal !== undefined) return withinUnlessAborted(clock, ms, work, signal, late);
  return new Promise<T | L>((resolve, reject) => {
    let isLate = false;
    const giveUp = (): void => {
      isLate = true;
      settleLate(late, resolve, reject);
    };
    const cancel = clock.after(ms, giveUp, 'background');
    const answered = (answer: T): void => {
      cancel();
      resolve(answer);
    };
    const broken = (error: unknown): void => {
      if (isLate) return;
      cancel();
      if (failed === undefined) reject(error);
      else resolve(failed(error));
    };
    work.then(answered, broken);
  });
}

/** The same with a signal. Separate, because every command of a call goes through the other. */
function withinUnlessAborted<T, L>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<T>,
  signal: AbortSignal,
  late: () => L,
): Promise<T | L> {
  return new Promise<T | L>((resolve, reject) => {
    const release = (): void => {
      cancel();
      signal.removeEventListener('abort', abort);
    };
    const abort = (): void => {
      release();
      reject(signal.reason);
    };
    const isLate = (): void => {
      release();
      settleLate(late, resolve, reject);
    };
    const cancel = clock.after(ms, isLate, 'background');
    const answered = (answer: T): void => {
      release();
      resolve(answer);
    };
    const failed = (error: unknown): void => {
      release();
      reject(error);
    };
    work.then(answered, failed);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}

function settleLate<L>(
  late: () => L,
  resolve: (answer: L) => void,
  reject: (error: unknown) => void,
): void {
  try {
    resolve(late());
  } catch (error) {
    reject(error);
  }
}

/**
 * Does work with its own signal, which aborts with a {@link TimeUpError} after this many milliseconds,
 * with the parent's reason when the parent aborts, and when the work is over. Waits for the work, which
 * must react to the signal.
 */
export async function withDeadline<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: (until: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const limit = new AbortController();
  const stop = (): void => limit.abort(parent?.reason);
  const cancel = clock.after(ms, () => limit.abort(new TimeUpError()));
  parent?.addEventListener('abort', stop);
  if (parent?.aborted) stop();
  try {
    return await work(limit.signal);
  } finally {
    cancel();
    parent?.removeEventListener('abort', stop);
    limit.abort(workDone);
  }
}

/**
 * The outcome of work with its own signal; a {@link TimeUpError} after this many milliseconds, or the parent's reason the
 * moment it aborts, whatever the work does then. What has arrived by the end of the time is read first: a process that
 * stood still hears its timers before its sockets. Cheaper than {@link withDeadline}: the signal aborts only if the
 * work is given up, or has failed.
 */
export function withTimeLimit<T>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: (until: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const limit = new AbortController();
    let isOver = false;
    const release = (): void => {
      isOver = true;
      cancel();
      parent?.removeEventListener('abort', stop);
    };
    const failed = (reason: unknown): void => {
      release();
      // First: however the work reports the abort, this is the reason.
      reject(reason);
      limit.abort(reason);
    };
    const stop = (): void => failed(parent?.reason);
    const isLate = (): void => {
      if (!isOver) failed(new TimeUpError());
    };
    const cancel = clock.after(ms, () => afterThisTurn(isLate));
    parent?.addEventListener('abort', stop);
    if (parent?.aborted) return stop();
    work(limit.signal).then((outcome) => {
      release();
      resolve(outcome);
    }, failed);
  });
}

/** The outcome of work that may ignore the signal, or the signal's reason the moment it aborts. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const answered = (outcome: T): void => {
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const failed = (error: unknown): void => {
      signal.removeEventListener('abort', abort);
      reject(error);
    };
    work.then(answered, failed);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

// Created once: an error records its stack, and nobody reads this one.
const workDone = new Error('the work is over');

function timeIsUp(): never {
  throw new TimeUpError();
}

/**
 * The answer of a user's hook, or an error after the time limit: a hook that hangs must not hold a
 * player's call.
 */
export async function callHook<T>(
  hook: () => T | Promise<T>,
  limit: { readonly clock: Clock; readonly deadlineMs: number },
): Promise<T> {
  return within(limit.clock, limit.deadlineMs, Promise.resolve(hook()), inTime);
}

const inTime = {
  late: (): never => {
    throw new Error('A hook did not answer in time.');
  },
};
