import type { Clock } from './ports';
import type { Unknown } from './wallet-store';

/**
 * What a store answers, or unknown once the time is over: a store that hangs must not keep a
 * call, whatever became of its own deadline (D7). What it answers later is not heard.
 */
export async function answerWithin<T>(
  ms: number,
  clock: Clock,
  ask: () => Promise<T>,
): Promise<T | Unknown> {
  const done = new AbortController();
  const late = clock.pause(ms, done.signal).then((): typeof tooLate => tooLate);
  try {
    const answer = await Promise.race([ask(), late]);
    if (answer !== tooLate) return answer;
    return { kind: 'unknown', cause: new Error('The store did not answer in time.') };
  } finally {
    done.abort();
  }
}

const tooLate = Symbol('too late');
