import type { WithinOptions } from '../../platform/within';
import type { Unknown } from './store';

/**
 * The answer of a store after a time-out: unknown. A store that hangs must not hold a call, whatever its
 * own deadline (D7).
 */
export const unknownIfLate: WithinOptions<Unknown> = Object.freeze({
  late: (): Unknown => ({
    kind: 'unknown',
    cause: new Error('The store did not answer in time.'),
  }),
});
