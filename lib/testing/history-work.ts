import assert from 'node:assert/strict';
import type { HashEntry, MoneyPolicy } from '../gameround';
import { emptyPurse, type Purse, subtractPurses } from '../money';
import type { Transaction } from '../protocol';
import type { CallOutcome, RoundReport } from '../wallet';
import { toText } from './history';
import { type Balances, moved, type Moment, type Work } from './history-moments';
import { paymentOf } from './history-player';

/** A call that was answered, with the round as it is kept after it. */
export interface AnsweredCall {
  readonly transactions: readonly Transaction[];
  readonly outcome: CallOutcome;
  readonly report: RoundReport | null;
  readonly policy: MoneyPolicy;
}

/**
 * What a call did, moment by moment. It is one moment, but that a void, or a credit by shares,
 * may have to wait for the debits before it.
 */
export function workOf({ transactions, outcome, report, policy }: AnsweredCall): Work {
  const moments: Moment[] = [];
  let current: Balances = new Map();
  for (const [at, verdict] of outcome.verdicts.entries()) {
    const transaction = transactions[at] as Transaction;
    const { type, hash } = transaction;
    if (type === 'void' || (type === 'credit' && policy.creditTo === 'stakeShares')) {
      moments.push(current);
      current = new Map();
    }
    if (verdict.outcome !== 'processed' || verdict.replay) continue;
    const purse = effectOf(type, report?.entries.get(hash));
    const currency = report?.head.currency ?? null;
    if (currency !== null) current = moved(current, new Map([[currency, purse]]));
  }
  return { moments: [...moments, current].filter((moment) => moment.size > 0) };
}

/**
 * Checks a call that was alone with its player: each debit is paid in the order asked, and
 * refused for funds only where they are too low.
 */
export function checkPayments(call: AnsweredCall, before: Balances): void {
  const { transactions, outcome, report, policy } = call;
  let balances = before;
  for (const [at, verdict] of outcome.verdicts.entries()) {
    const transaction = transactions[at] as Transaction;
    if (verdict.replay) continue;
    const { hash } = transaction;
    if (transaction.type === 'debit') {
      const { currency, amount, discount } = transaction;
      const has = balances.get(currency) ?? emptyPurse;
      const payment = paymentOf(has, amount - discount, policy.useBonusFirst);
      if (verdict.outcome === 'processed') {
        const record = report?.entries.get(hash)?.transaction;
        const paid = record?.type === 'debit' ? record.purse : null;
        assert.deepEqual(paid, payment, `the payment of ${toText(transaction)}`);
      } else if (verdict.code === 'BALANCETOOLOW') {
        assert.equal(payment, null, `funds are there for ${toText(transaction)}`);
      }
    }
    const currency = report?.head.currency ?? null;
    if (verdict.outcome === 'processed' && currency !== null) {
      const effect = effectOf(transaction.type, report?.entries.get(hash));
      balances = moved(balances, new Map([[currency, effect]]));
    }
  }
}

function effectOf(type: Transaction['type'], entry: HashEntry | undefined): Purse {
  if (type === 'void') return entry?.void?.purse ?? emptyPurse;
  const record = entry?.transaction;
  if (record === undefined || record.type === 'end') return emptyPurse;
  return record.type === 'debit' ? subtractPurses(emptyPurse, record.purse) : record.purse;
}
