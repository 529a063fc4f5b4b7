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

/** What was read is shown for so long, in milliseconds: many readers cost one read. */
const freshMs = 5000;

/** Reads of the last seconds: by what is read, and what was asked of it. */
const reads = new WeakMap<object, Map<string, { readonly at: number; read: Promise<unknown> }>>();

/**
 * What a part of a store answered to the same question in the last five seconds, or what it answers now; a failure is not
 * kept. For what no act of a reader changes. A question that is asked anew replaces those that are no longer fresh.
 * @param asked The question.
 * @throws as {@link queryStore}.
 */
export async function freshly<T>(
  part: object,
  asked: string,
  clock: Pick<Clock, 'after' | 'monotonicMs'>,
  query: () => Promise<T>,
): Promise<Exclude<T, Unknown>> {
  const now = clock.monotonicMs();
  const known = reads.get(part) ?? new Map<string, { at: number; read: Promise<unknown> }>();
  reads.set(part, known);
  for (const [question, { at }] of known) if (now - at >= freshMs) known.delete(question);
  const kept = known.get(asked) ?? { at: now, read: queryStore(clock, query()) };
  known.set(asked, kept);
  try {
    return (await kept.read) as Exclude<T, Unknown>;
  } catch (error) {
    if (known.get(asked) === kept) known.delete(asked);
    throw error;
  }
}

/** What is read here is read anew, since a reader has changed it or needs it as it is now. */
export function forgetReads(part: object): void {
  reads.delete(part);
}

/** What was read last is known for so long, in milliseconds, where the store does not answer. */
const knownMs = 5 * 60_000;

/** The last answers: by what was read, and what was asked of it. */
const answers = new WeakMap<
  object,
  Map<string, { readonly at: number; readonly answer: unknown }>
>();

/**
 * The same as {@link freshly}; where the store does not answer, what it answered in the last five minutes, as `late` makes it.
 * For few questions: the last answer to each is kept.
 * @throws as {@link queryStore}, where nothing is known.
 */
export async function freshlyOrLate<T>(
  part: object,
  asked: string,
  clock: Pick<Clock, 'after' | 'monotonicMs'>,
  query: () => Promise<T>,
  late: (answer: T) => T,
): Promise<T> {
  const known = answers.get(part) ?? new Map<string, { at: number; answer: unknown }>();
  answers.set(part, known);
  try {
    const answer: T = await freshly(part, asked, clock, query);
    known.set(asked, { at: clock.monotonicMs(), answer });
    return answer;
  } catch (error) {
    const last = known.get(asked);
    if (!(error instanceof StoreUnavailableError) || last === undefined) throw error;
    if (clock.monotonicMs() - last.at >= knownMs) throw error;
    return late(last.answer as T);
  }
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
