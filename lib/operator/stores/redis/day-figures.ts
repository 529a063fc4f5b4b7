import {
  type KeptReconciliation,
  minuteKeptMs,
  type Minutes,
  mostMinuteRows,
  type Reconciliations,
  reconciliationSources,
  StoreUnavailableError,
} from '../../wallet';
import { checkMinute, checkMinutes, foundMinute } from '../check-minute';
import {
  checkReconciliation,
  checkReconciliationQuery,
  firstDayKept,
} from '../check-reconciliation';
import type { Keys } from './codec/keys';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import { readHashes } from './totals/hashes';

/** The reconciliations of a Redis store: one hash of an operator. */
export function reconciliationsOf(executor: Executor, keys: Keys): Reconciliations {
  return {
    async save(entry) {
      checkReconciliation(entry);
      const { operatorId, day, source, at, text } = entry;
      await executor.run(scripts.saveReconciliation, {
        reconciled: keys.reconciled(operatorId),
        name: `${day} ${source}`,
        text: `${at} ${text}`,
        first: firstDayKept(at),
      });
    },
    async list(operatorId, query) {
      checkReconciliationQuery(operatorId, query);
      const reply = (await executor.run(scripts.listReconciliations, {
        reconciled: keys.reconciled(operatorId),
        days: query.days,
      })) as string[];
      return Array.from({ length: reply.length / 2 }, (_, at) =>
        entryOf(reply[2 * at] ?? '', reply[2 * at + 1] ?? ''),
      );
    },
  };
}

function entryOf(name: string, kept: string): KeptReconciliation {
  const [day = '', found] = name.split(' ');
  const source = reconciliationSources.find((one) => one === found);
  const space = kept.indexOf(' ');
  if (source === undefined || space < 0) {
    throw new StoreUnavailableError('a result of a reconciliation in Redis cannot be read');
  }
  return { day, source, at: Number(kept.slice(0, space)), text: kept.slice(space + 1) };
}

/** The minute rows of a Redis store: a hash of each minute. */
export function minutesOf(executor: Executor, keys: Keys): Minutes {
  return {
    async save(row) {
      checkMinute(row);
      const { minute, process, text } = row;
      const reply = await executor.run(scripts.saveMinute, {
        minute: keys.minute(minute),
        process,
        text,
        most: mostMinuteRows,
        keep: minuteKeptMs,
      });
      return reply === 1;
    },
    async list(from, to) {
      checkMinutes(from, to);
      const minutes = Array.from({ length: to - from }, (_, at) => from + at);
      const hashes = await readHashes(
        executor,
        minutes.map((minute) => keys.minute(minute)),
      );
      return hashes.flatMap((fields, at) =>
        [...fields].flatMap(([process, text]) => foundMinute(from + at, process, text) ?? []),
      );
    },
  };
}
