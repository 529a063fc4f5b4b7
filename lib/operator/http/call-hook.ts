import type { Clock } from '../../platform';

/**
 * The answer of a user's hook, or an error after the time limit: a hook that hangs must not hold a
 * player's call.
 */
export async function callHook<T>(
  hook: () => T | Promise<T>,
  limit: { readonly clock: Clock; readonly deadlineMs: number },
): Promise<T> {
  let cancel: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('A hook did not answer in time.'));
    cancel = limit.clock.after(limit.deadlineMs, giveUp);
  });
  try {
    return await Promise.race([hook(), late]);
  } finally {
    cancel?.();
  }
}
