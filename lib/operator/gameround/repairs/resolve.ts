import { emptyPurse } from '../../../protocol/money/purse';
import { isMade } from '../repair';
import {
  type CreditRecord,
  needsAttention,
  type RecordedOutcome,
  type RoundHead,
  type RoundView,
  type TransactionRecord,
} from '../round';
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

/** Of a credit, what the money at stake depends on. */
export type StakedCredit = Pick<CreditRecord, 'type' | 'outcome' | 'currency' | 'amount'>;

/** Of a round, what the money at stake depends on. */
export interface StakedRound {
  readonly head: Pick<
    RoundHead,
    'state' | 'currency' | 'debits' | 'credits' | 'stuckBy' | 'repairs'
  >;
  /** By hash, as a map gives them. */
  readonly entries: Iterable<
    readonly [hash: string, entry: { readonly transaction?: TransactionRecord | StakedCredit }]
  >;
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
export function stakeOf(view: StakedRound): RoundStake {
  const { debits, credits, currency: own, repairs } = view.head;
  const unpaid = unpaidOf(view);
  const isOwn = unpaid.some((credit) => credit.currency === own);
  const currency = isOwn ? own : (unpaid.map((credit) => credit.currency).toSorted()[0] ?? own);
  let refusal: RecordedOutcome | null = null;
  let units = 0n;
  for (const credit of unpaid) {
    if (credit.currency !== currency) continue;
    units += credit.amount;
    if (refusal === null || credit.outcome < refusal) refusal = credit.outcome;
  }
  if (refusal === null) {
    const net = debits.real + debits.bonus - credits.real - credits.bonus;
    return { currency, units: net, refusal };
  }
  for (const repair of repairs?.list ?? []) {
    const isPaid = repair.kind === 'pay' && isMade(repair) && repair.currency === currency;
    if (isPaid) units -= repair.amount;
  }
  return { currency, units, refusal };
}

/** The credits that were refused for good, if the round is stranded or crashed. */
function unpaidOf({ head, entries }: StakedRound): StakedCredit[] {
  const unpaid: StakedCredit[] = [];
  if (head.state !== 'stranded' && head.state !== 'crashed') return unpaid;
  for (const [hash, { transaction: record }] of entries) {
    if (record !== undefined && isUnpaid(hash, record, head)) unpaid.push(record);
  }
  return unpaid;
}
