import type { WithinOptions } from '../../platform/within';
import type { Unknown } from './store';

/**
 * What a store that is late has answered: unknown. A store that hangs must not keep a call, whatever became of its own
 * deadline (D7).
 */
export const unknownIfLate: WithinOptions<Unknown> = Object.freeze({
  late: (): Unknown => ({
    kind: 'unknown',
    cause: new Error('The store did not answer in time.'),
  }),
});
