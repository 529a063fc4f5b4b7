import type { KeptReconciliation, Reconciliations } from '../../wallet';
import {
  checkReconciliation,
  checkReconciliationQuery,
  firstDayKept,
} from '../check-reconciliation';

/** The reconciliations of a memory store. */
export function createReconciliations(): Reconciliations {
  const operators = new Map<string, Map<string, KeptReconciliation>>();
  return {
    async save(entry) {
      checkReconciliation(entry);
      const { operatorId, ...kept } = entry;
      const entries = operators.get(operatorId) ?? new Map<string, KeptReconciliation>();
      operators.set(operatorId, entries);
      entries.set(`${kept.day} ${kept.source}`, { ...kept });
      const first = firstDayKept(kept.at);
      for (const [name, { day }] of entries) if (day < first) entries.delete(name);
    },
    async list(operatorId, query) {
      checkReconciliationQuery(operatorId, query);
      const entries = [...(operators.get(operatorId)?.values() ?? [])];
      const days = [...new Set(entries.map(({ day }) => day))].toSorted().slice(-query.days);
      const [first = ''] = days;
      return entries
        .filter(({ day }) => day >= first)
        .toSorted(newestFirst)
        .map((one) => ({ ...one }));
    },
  };
}

function newestFirst(one: KeptReconciliation, other: KeptReconciliation): number {
  if (one.day !== other.day) return one.day > other.day ? -1 : 1;
  return one.source < other.source ? -1 : 1;
}
