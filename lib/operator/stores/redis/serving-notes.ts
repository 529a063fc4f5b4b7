import { noteKeptMs, type ServingNotes } from '../companions';
import type { RedisArgument } from './client/port';
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';

/** The notes, beside the settings of the data. */
export function servingNotes(executor: Executor, keys: Keys): ServingNotes {
  const run = (token: string, ...args: readonly RedisArgument[]): Promise<unknown> =>
    executor.run(scripts.noteServing, [keys.settings()], [`serving ${token}`, ...args]);
  return {
    note: async ({ token, retentionMs, isForced }) => {
      const others = await run(token, retentionMs, noteKeptMs, isForced ? 1 : 0);
      return (others as readonly string[]).map(Number);
    },
    forget: async (token) => void (await run(token, '')),
  };
}
