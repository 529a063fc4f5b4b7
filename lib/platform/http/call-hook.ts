import type { Clock } from '../clock';
import { within } from '../within';

/**
 * The answer of a user's hook, or an error after the time limit: a hook that hangs must not hold a
 * player's call.
 */
export async function callHook<T>(
  hook: () => T | Promise<T>,
  limit: { readonly clock: Clock; readonly deadlineMs: number },
): Promise<T> {
  return within(limit.clock, limit.deadlineMs, Promise.resolve(hook()), inTime);
}

const inTime = {
  late: (): never => {
    throw new Error('A hook did not answer in time.');
  },
};
