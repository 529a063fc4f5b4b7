import { emptyPurse } from '../../../protocol/money/purse';
import { isMade } from '../repair';
import { needsAttention, type RecordedOutcome, type RoundView } from '../round';
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
  /** Why a credit in it was refused for good, the first by name of several reasons; null without any. */
  readonly refusal: RecordedOutcome | null;
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
  const refusals = new Map<string, RecordedOutcome>();
  if (state === 'stranded' || state === 'crashed') {
    for (const [hash, { transaction: record }] of entries) {
      if (record === undefined || !isUnpaid(hash, record, head)) continue;
      const { currency, amount, outcome } = record;
      unpaid.set(currency, (unpaid.get(currency) ?? 0n) + amount);
      const before = refusals.get(currency);
      if (before === undefined || outcome < before) refusals.set(currency, outcome);
    }
  }
  const isOwn = head.currency !== null && unpaid.has(head.currency);
  const currency = isOwn ? head.currency : ([...unpaid.keys()].toSorted()[0] ?? head.currency);
  let units = currency === null ? undefined : unpaid.get(currency);
  if (units === undefined) {
    const net = debits.real + debits.bonus - credits.real - credits.bonus;
    return { currency, units: net, refusal: null };
  }
  for (const repair of repairs?.list ?? []) {
    const isPaid = repair.kind === 'pay' && isMade(repair) && repair.currency === currency;
    if (isPaid) units -= repair.amount;
  }
  return { currency, units, refusal: refusals.get(currency ?? '') ?? null };
}
