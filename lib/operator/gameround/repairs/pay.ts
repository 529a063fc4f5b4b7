import { isEmptyPurse, type Purse, splitByShares } from '../../../protocol/money/purse';
import type {
  CreditRecord,
  RecordedOutcome,
  Repair,
  RoundHead,
  RoundView,
  TransactionRecord,
} from '../round';
import { isMade, repairHash, withoutRepair } from '../repair';
import type { AccountBalance, Movement } from '../change';
import type { RepairContent, RepairOrder, RepairPolicy, RepairRefusal } from './order';

/** Refusals of a credit whose win the player may be owed (D4.7, D4.1). */
const owed: ReadonlySet<RecordedOutcome> = new Set<RecordedOutcome>([
  'PLAYERNOTFOUND',
  'CURRENCYNOTSUPPORTED',
  'CREDITREFUSED',
  'GAMEROUNDNOTACTIVE',
]);

/**
 * Whether a record is a credit that was refused for good though its win may have been played. Of those
 * declined with a debit (id 9004) it is only the one that stranded or crashed the round (D11.3): the others
 * were never played, or were taken back with a debit (D5.3).
 */
export function isUnpaid<Recorded extends Pick<TransactionRecord, 'type' | 'outcome'>>(
  hash: string,
  record: Recorded,
  { stuckBy }: Pick<RoundHead, 'stuckBy'>,
): record is Extract<Recorded, { readonly type: 'credit' }> {
  if (record.type !== 'credit') return false;
  return record.outcome === 'DEBITFAILEDBEFORE' ? hash === stuckBy : owed.has(record.outcome);
}

/**
 * What paying a refused credit does: it gives the recorded amount, and the credit stays refused (O8). Only for
 * a round that is stranded or crashed, or was until a repair closed it (D11.3).
 */
export function contentOfPay(
  { hash }: RepairOrder,
  view: RoundView,
  { creditTo }: RepairPolicy,
  accounts: readonly Pick<AccountBalance, 'currency'>[] | null,
): RepairContent | RepairRefusal {
  const { state } = withoutRepair(view.head);
  if (state !== 'stranded' && state !== 'crashed') return 'notStuck';
  const found = hash === undefined ? onlyUnpaid(view) : unpaidOf(hash, view);
  if (typeof found === 'string') return found;
  const { currency, amount } = found.record;
  const purse = purseOf(found.record, view.head, creditTo);
  const isKnown = accounts?.some((account) => account.currency === currency) ?? false;
  if (!isKnown && !isEmptyPurse(purse)) return 'noAccount';
  return { hash: found.hash, currency, amount, purse, reference: null };
}

/** The movement of a repair that pays; none for an amount of 0. */
export function movementsOfPay({ id, currency, purse }: Repair): Movement[] {
  if (currency === null || isEmptyPurse(purse)) return [];
  return [{ kind: 'give', hash: repairHash(id), currency, purse }];
}

interface Unpaid {
  readonly hash: string;
  readonly record: CreditRecord;
}

function onlyUnpaid(view: RoundView): Unpaid | RepairRefusal {
  const all = [...view.entries].flatMap(([hash, { transaction: record }]): Unpaid[] => {
    if (record === undefined || !isUnpaid(hash, record, view.head)) return [];
    return isPaid(hash, view.head) ? [] : [{ hash, record }];
  });
  const [only, ...others] = all;
  if (only === undefined) return 'notUnpaid';
  return others.length > 0 ? 'hashMissing' : only;
}

function unpaidOf(hash: string, { head, entries }: RoundView): Unpaid | RepairRefusal {
  const record = entries.get(hash)?.transaction;
  if (record === undefined) return 'noSuchHash';
  if (isPaid(hash, head)) return 'alreadyPaid';
  return isUnpaid(hash, record, head) ? { hash, record } : 'notUnpaid';
}

function isPaid(hash: string, { repairs }: RoundHead): boolean {
  return (
    repairs?.list.some((one) => one.kind === 'pay' && one.hash === hash && isMade(one)) ?? false
  );
}

function purseOf(
  { amount, currency }: CreditRecord,
  { currency: ofRound, debits }: RoundHead,
  creditTo: RepairPolicy['creditTo'],
): Purse {
  const isShared = creditTo === 'stakeShares' && currency === ofRound;
  return isShared ? splitByShares(amount, debits) : { real: amount, bonus: 0n };
}
