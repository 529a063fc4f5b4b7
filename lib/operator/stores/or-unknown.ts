import { StoreUnavailableError, type Unknown } from '../wallet';

/** A store that does not answer, or is not safe, leaves the outcome unknown (D7). */
export async function orUnknown<T>(work: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await work();
  } catch (error) {
    const cause =
      error instanceof Error
        ? error
        : new StoreUnavailableError('The store failed without an error.');
    return { kind: 'unknown', cause };
  }
}
