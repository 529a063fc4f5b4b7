import type { Clock } from '../../platform';
import type { Unknown } from './store';

/**
 * The answer of a store, or unknown after a time-out: a store that hangs must not hold a call, whatever
 * its own deadline (D7). A late answer is ignored.
 */
export function answerWithin<T>(
  ms: number,
  clock: Clock,
  ask: () => Promise<T>,
): Promise<T | Unknown> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      resolve({ kind: 'unknown', cause: new Error('The store did not answer in time.') });
    });
    const answered = (answer: T) => {
      cancel();
      resolve(answer);
    };
    const failed = (error: unknown) => {
      cancel();
      reject(error);
    };
    ask().then(answered, failed);
  });
}
