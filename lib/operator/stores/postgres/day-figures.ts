import {
  type KeptReconciliation,
  minuteKeptMs,
  type Minutes,
  mostMinuteRows,
  type Reconciliations,
  reconciliationSources,
} from '../../wallet';
import { checkMinute, checkMinutes, foundMinute } from '../check-minute';
import {
  checkReconciliation,
  checkReconciliationQuery,
  firstDayKept,
} from '../check-reconciliation';
import { unexpected } from './connections/answers';
import type { Line, WritingParts } from './connections/executor';
import { functions } from './schema/functions';

/** The reconciliations of a PostgreSQL store. */
export function reconciliationsOf({ executor, writing }: WritingParts): Reconciliations {
  return {
    async save(entry) {
      checkReconciliation(entry);
      const { operatorId, day, source, at, text } = entry;
      const [line] = await executor.run(functions.saveReconciliation, {
        ...writing,
        of_operator: operatorId,
        of_day: day,
        of_source: source,
        at,
        result: text,
        since: firstDayKept(at),
      });
      if (line?.[0] !== 'done') throw unexpected();
    },
    async list(operatorId, query) {
      checkReconciliationQuery(operatorId, query);
      const asked = { of_operator: operatorId, at_most: query.days };
      return (await executor.run(functions.listReconciliations, asked)).map(entryOf);
    },
  };
}

function entryOf([day, found, at, text]: Line): KeptReconciliation {
  const source = reconciliationSources.find((one) => one === found);
  if (source === undefined || typeof day !== 'string' || typeof text !== 'string') {
    throw unexpected();
  }
  return { day, source, at: Number(at), text };
}

/** The minute rows of a PostgreSQL store. */
export function minutesOf({ executor, writing }: WritingParts): Minutes {
  return {
    async save(row) {
      checkMinute(row);
      const { minute, process, text } = row;
      const [line] = await executor.run(functions.saveMinute, {
        ...writing,
        of_minute: minute,
        of_process: process,
        counts: text,
        most: mostMinuteRows,
        keep_ms: minuteKeptMs,
      });
      if (line?.[0] !== 'done' && line?.[0] !== 'full') throw unexpected();
      return line[0] === 'done';
    },
    async list(from, to) {
      checkMinutes(from, to);
      const asked = { from_minute: from, to_minute: to };
      const lines = await executor.run(functions.listMinutes, asked);
      return lines.flatMap(
        ([minute, process, text]) => foundMinute(Number(minute), process, text) ?? [],
      );
    },
  };
}
