import type { Clock } from '../../platform';
import type { Unknown } from './store';

/**
 * What a store answers, or unknown once the time is over: a store that hangs must not keep a
 * call, whatever became of its own deadline (D7). What it answers later is not heard.
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
