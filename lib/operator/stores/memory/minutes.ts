import type { Clock } from '../../../platform';
import { type KeptMinute, minuteKeptMs, type Minutes, mostMinuteRows } from '../../wallet';
import { checkMinute, checkMinutes } from '../check-minute';

/** The minute rows of a memory store. */
export function createMinutes(clock: Pick<Clock, 'now'>): Minutes {
  /** By minute and process; in the order of saving. */
  const kept = new Map<string, KeptMinute & { readonly savedAt: number }>();
  return {
    async save(row) {
      checkMinute(row);
      const { minute, process, text } = row;
      const savedAt = clock.now();
      for (const [name, old] of kept) {
        if (old.savedAt > savedAt - minuteKeptMs) break;
        kept.delete(name);
      }
      const name = `${minute} ${process}`;
      const others = [...kept.values()].filter((one) => one.minute === minute);
      if (!kept.delete(name) && others.length >= mostMinuteRows) return false;
      kept.set(name, { minute, process, text, savedAt });
      return true;
    },
    async list(from, to) {
      checkMinutes(from, to);
      return [...kept.values()]
        .filter(({ minute }) => from <= minute && minute < to)
        .map(({ minute, process, text }) => ({ minute, process, text }));
    },
  };
}
