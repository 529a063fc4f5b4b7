import { emptyPurse } from '../../../protocol/money/purse';
import { isMade } from '../repair';
import { needsAttention, type RoundView } from '../round';
import type { RepairContent, RepairOrder, RepairRefusal } from './order';
import { isUnpaid } from './pay';

/** Content of a repair that was settled elsewhere: it moves nothing (D11.3). */
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

/** The money at stake in a round that needs attention. */
export interface RoundStake {
  readonly currency: string | null;
  readonly units: bigint;
}

/**
 * The money at stake. Of a stranded or crashed round: the credits that were refused for good, less what repairs
 * paid of them, in the round's own currency if one of them is in it, otherwise in the first currency by name,
 * so that all stores agree. Of any other round, and without such a credit: what the debits took less what the
 * credits gave.
 */
export function stakeOf({ head, entries }: RoundView): RoundStake {
  const { state, debits, credits, repairs } = head;
  const unpaid = new Map<string, bigint>();
  if (state === 'stranded' || state === 'crashed') {
    for (const [hash, { transaction: record }] of entries) {
      if (record === undefined || !isUnpaid(hash, record, head)) continue;
      unpaid.set(record.currency, (unpaid.get(record.currency) ?? 0n) + record.amount);
    }
  }
  const isOwn = head.currency !== null && unpaid.has(head.currency);
  const currency = isOwn ? head.currency : ([...unpaid.keys()].toSorted()[0] ?? head.currency);
  let units = currency === null ? undefined : unpaid.get(currency);
  if (units === undefined) {
    return { currency, units: debits.real + debits.bonus - credits.real - credits.bonus };
  }
  for (const repair of repairs?.list ?? []) {
    const isPaid = repair.kind === 'pay' && isMade(repair) && repair.currency === currency;
    if (isPaid) units -= repair.amount;
  }
  return { currency, units };
}
