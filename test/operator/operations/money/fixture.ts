import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import type {
  FullStore,
  TotalsChange,
  TotalsName,
  TotalsRow,
} from '../../../../lib/operator/wallet';
import { quarterOf } from '../../../../lib/platform/time/zone-days';
import { VirtualClock } from '../../../support/virtual-clock';
import { operatorId } from '../fixture';

/** When the totals of these tests begin. */
export const since = Date.parse('2026-11-20T10:00:00Z');

/** A row of totals; units are those of the store, with four decimals. */
export function row(
  at: string,
  by: TotalsRow['by'],
  sums: Partial<Record<TotalsName, bigint>>,
  more: Partial<TotalsRow> = {},
): TotalsRow {
  return { quarter: quarterOf(Date.parse(at)), by, game: 'bells', currency: 'EUR', sums, ...more };
}

export interface Counted {
  readonly store: FullStore;
  readonly clock: VirtualClock;
}

/** A memory store that has counted these rows, as of a time; one event of it is counted, and others wait if asked for. */
export async function countedStore(
  now: string,
  rows: readonly TotalsRow[],
  more: Partial<TotalsChange> = {},
): Promise<Counted> {
  const clock = new VirtualClock(since);
  const store = createMemoryStore({ events: ['totals'], clock });
  await openAccount(store, 'ann');
  for await (const batch of store.totals.batches({ operatorId })) {
    await batch.add({ rows, rounds: [], gaps: [], since, ...more });
    break;
  }
  clock.setWallClock(Date.parse(now) - since);
  return { store, clock };
}

/** An event. */
export async function openAccount(store: FullStore, playerId: string): Promise<void> {
  const account = { operatorId, playerId, currency: 'EUR', balances: { real: '0' } };
  await store.players.openPlayer(account);
}
