import { expect } from '@jest/globals';

import type { Logger } from '../../../lib/platform';

/** The line of a store that names none of the declared consumers. */
export function unnamed(consumers: readonly string[]): unknown {
  const cure = expect.stringContaining('--events');
  return [{ consumers, cure }, expect.stringContaining('write no event')];
}

/** A logger that keeps the errors, each as its fields and its message. */
export function unnamedIn(): { readonly errors: unknown[]; readonly logger: Logger } {
  const errors: unknown[] = [];
  const error = (fields: object, message: string): void => void errors.push([fields, message]);
  return { errors, logger: { info: () => undefined, warn: () => undefined, error } };
}
