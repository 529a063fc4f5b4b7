import { noteKeptMs, type ServingNotes } from '../../companions';
import type { Keys } from '../codec/keys';
import { scripts } from '../commands/scripts';
import type { Executor } from './executor';

/** The notes, beside the settings of the data. */
export function servingNotes(executor: Executor, keys: Keys): ServingNotes {
  const run = (token: string, retention: number | '', isForced: boolean): Promise<unknown> =>
    executor.run(scripts.noteServing, {
      settings: keys.settings(),
      name: `serving ${token}`,
      retention,
      countsMs: noteKeptMs,
      isForced: isForced ? 1 : 0,
    });
  return {
    note: async ({ token, retentionMs, isForced }) => {
      const answer = (await run(token, retentionMs, isForced)) as readonly string[];
      const [shortestMs = retentionMs, ...others] = answer.map(Number);
      return { shortestMs, others };
    },
    forget: async (token) => void (await run(token, '', false)),
  };
}
