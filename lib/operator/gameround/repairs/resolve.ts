import { emptyPurse } from '../../../protocol/money';
import { stakeOf } from '../repair';
import { needsAttention, type RoundView } from '../round';
import type { RepairContent, RepairOrder, RepairRefusal } from './order';

/** What noting that a matter was settled elsewhere does: it moves nothing (D11.3). */
export function contentOfResolve(
  { reference }: RepairOrder,
  { head, entries }: RoundView,
): RepairContent | RepairRefusal {
  if (!needsAttention(head.state)) return 'notStuck';
  const records = [...entries.values()].flatMap(({ transaction }) => transaction ?? []);
  const { currency, units } = stakeOf(head, records);
  const amount = units < 0n ? -units : units;
  const own = { hash: null, refusedAt: null, reference: reference ?? null };
  return { ...own, currency, amount, purse: emptyPurse };
}
