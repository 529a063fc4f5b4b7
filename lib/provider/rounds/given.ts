import { InvalidRequestError } from '../../protocol/client';
import { listKnownNames } from '../../platform/validation';
import { unitsOf } from '../client/requests';

/** The members of what a method of a round is given, each by its name; the amounts are marked. */
export type GivenNames<T> = { readonly [Name in keyof T]-?: 'amount' | 'amountIfAny' | 'other' };

/** The members of a draw, which most have. */
export const drawNames = { rngCallId: 'other', result: 'other', betData: 'other' } as const;

/**
 * Checks what the caller names before it becomes a request, whose fields have other names.
 * @param operation The method, for the error.
 * @throws InvalidRequestError for an unknown member, or an amount that is not whole minor units (E4.1).
 */
export function checkGiven<T extends object>(
  operation: string,
  given: T,
  names: GivenNames<T>,
): void {
  if (typeof given !== 'object' || (given as T | null) === null) {
    throw new InvalidRequestError(operation, 'the request', 'must be an object');
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(names, name));
  if (unknown.length > 0) {
    const help = listKnownNames('the members', unknown, Object.keys(names));
    throw new InvalidRequestError(operation, 'the request', `has an unknown member; ${help}`);
  }
  for (const [name, kind] of Object.entries(names)) {
    const value = given[name as keyof T];
    if (kind === 'other' || (kind === 'amountIfAny' && value === undefined)) continue;
    if (unitsOf(value) !== null) continue;
    throw new InvalidRequestError(operation, name, notUnits);
  }
}

const notUnits = 'must be a whole number of minor units, as a bigint or a safe integer';
