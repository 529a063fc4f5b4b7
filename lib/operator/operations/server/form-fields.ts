import type { Actor } from '../../wallet';
import { RequestFault } from '../view';
import type { PageRequest } from './page-request';

/** The use cases and the store name a wrong field in a TypeError, and repeat nothing of it. */
export async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TypeError) throw new RequestFault(400, `${error.message}.`);
    throw error;
  }
}

/** Who posts a form. */
export function actorOf({ person: { id, name } }: PageRequest): Actor {
  return { id, name };
}

/** Browsers send line ends of a reason as CR LF; a reason is one line. */
export function reasonOf(fields: URLSearchParams): string {
  return (fields.get('reason') ?? '').replace(/\s+/g, ' ').trim();
}
