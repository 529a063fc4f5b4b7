import type { Clock } from '../../../platform';
import { within } from '../../../platform/within';
import { StoreUnavailableError, type Unknown } from '../../wallet';

/** Something to list: `missing` where the store has no such list, `unavailable` if it did not answer. */
export type Listed<T> = T | 'missing' | 'unavailable';

/** Time limit of the store for one page, in milliseconds. */
export const answerMs = 8000;

/**
 * What a store answers, within the time limit of a page.
 * @throws StoreUnavailableError if it does not answer, or answers that it does not know.
 */
export async function queryStore<T>(
  clock: Pick<Clock, 'after'>,
  work: Promise<T>,
): Promise<Exclude<T, Unknown>> {
  const answer: T | Unknown = await within<T>(clock, answerMs, work, inTime);
  if (isUnknown(answer)) throw new StoreUnavailableError(answer.cause.message);
  return answer as Exclude<T, Unknown>;
}

/** What is listed; `missing` for null, and `unavailable` if the store did not answer. */
export async function orUnavailable<T>(work: Promise<T | null>): Promise<Listed<T>> {
  try {
    return (await work) ?? 'missing';
  } catch (error) {
    if (error instanceof StoreUnavailableError) return 'unavailable';
    throw error;
  }
}

function isUnknown(answer: unknown): answer is Unknown {
  return Object(answer).kind === 'unknown';
}

const inTime = {
  late: (): never => {
    throw new StoreUnavailableError('The store did not answer in time.');
  },
};
