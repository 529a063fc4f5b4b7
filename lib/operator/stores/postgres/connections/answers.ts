import { StoreUnavailableError } from '../../../wallet';

/** The error of a reply that no function of the schema gives. */
export function unexpected(): StoreUnavailableError {
  return new StoreUnavailableError('PostgreSQL sent an unknown reply.');
}
