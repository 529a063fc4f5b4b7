import type { Clock } from '../wallet';

/**
 * What a hook of the user answers, or an error once the time is over: a hook that hangs must not
 * keep a player's call.
 */
export async function callHook<T>(
  hook: () => T | Promise<T>,
  limit: { readonly clock: Clock; readonly deadlineMs: number },
): Promise<T> {
  const done = new AbortController();
  const late = limit.clock.pause(limit.deadlineMs, done.signal).then((): never => {
    throw new Error('A hook did not answer in time.');
  });
  late.catch(() => {});
  try {
    return await Promise.race([hook(), late]);
  } finally {
    done.abort();
  }
}
