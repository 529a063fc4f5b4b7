import type { Clock } from './clock';

/** Work was not done when its time was over. */
export class TimeUpError extends Error {
  override readonly name = 'TimeUpError';

  constructor() {
    super('no answer in time');
  }
}

/** What else ends the wait of {@link within}, and what it comes to. */
export interface WithinOptions<L> {
  /** Ends the wait when it aborts, by rejecting with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes, or throws, what a late answer is replaced by; a {@link TimeUpError} unless set. */
  readonly late?: () => L;
}

const noOptions: WithinOptions<never> = Object.freeze({});

/**
 * The outcome of work that is under way, or a {@link TimeUpError} after so many milliseconds; a late outcome is
 * ignored. Leaves neither timer nor listener behind.
 */
export function within<T, L = never>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<T>,
  { signal, late = timeIsUp }: WithinOptions<L> = noOptions,
): Promise<T | L> {
  return new Promise<T | L>((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
    const abort =
      signal === undefined
        ? undefined
        : () => {
            cancel();
            reject(signal.reason);
          };
    const answered = (answer: T): void => {
      cancel();
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
      resolve(answer);
    };
    const failed = (error: unknown): void => {
      cancel();
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
      reject(error);
    };
    work.then(answered, failed);
    if (abort === undefined) return;
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Does work under a signal of its own, which aborts with a {@link TimeUpError} after so many milliseconds, with the
 * parent's reason when that aborts, and when the work is over. The work is waited for: it ends by listening.
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
    limit.abort(workIsOver);
  }
}

/** The outcome of work that need not listen, or the signal's reason the moment it aborts. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const letGo = (): void => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(letGo);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

// Made once: an error takes its stack, and this one nobody looks at.
const workIsOver = new Error('the work is over');

function timeIsUp(): never {
  throw new TimeUpError();
}
