import { type Actor, InvalidInputError } from '../../wallet';
import { RequestFault } from '../view';
import type { PageRequest } from './request';

/** The use cases and the store name a wrong field in an InvalidInputError or a TypeError, and repeat nothing of it. */
export async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isWrongField = error instanceof InvalidInputError || error instanceof TypeError;
    throw isWrongField ? new RequestFault(400, `${error.message}.`) : error;
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
