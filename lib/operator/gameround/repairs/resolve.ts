import { emptyPurse } from '../../../protocol/money';
import { stakeOf } from '../repair';
import { needsAttention, type RoundView } from '../round';
import type { RepairContent, RepairOrder, RepairRefusal } from './order';

/** What noting that a matter was settled elsewhere does: it moves nothing (D11.3). */
export function contentOfResolve(
  { reference }: RepairOrder,
  view: RoundView,
): RepairContent | RepairRefusal {
  if (!needsAttention(view.head.state)) return 'notStuck';
  const { currency, units } = stakeOf(view);
  const amount = units < 0n ? -units : units;
  const own = { hash: null, reference: reference ?? null };
  return { ...own, currency, amount, purse: emptyPurse };
}
