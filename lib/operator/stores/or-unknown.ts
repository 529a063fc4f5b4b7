import { StoreUnavailableError, type Unknown } from '../wallet';

/** A store that does not answer, or is not safe, leaves the outcome unknown (D7). */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await work();
  } catch (error) {
    return unknownFor(error);
  }
}

/** The same for what was thrown: a function around the work costs every commit. */
export function unknownFor(error: unknown): Unknown {
  const cause =
    error instanceof Error
      ? error
      : new StoreUnavailableError('The store failed without an error.');
  return { kind: 'unknown', cause };
}
