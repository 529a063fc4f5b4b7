import assert from 'node:assert/strict';
import type { HashEntry, MoneyPolicy } from '../gameround';
import { addPurses, emptyPurse, isEmptyPurse, type Purse, subtractPurses } from '../money';
import type { Transaction } from '../protocol';
import type { CallOutcome, RoundReport } from '../wallet';
import { toText } from './history';
import { type Balances, moved, type Moment, type Work } from './history-moments';
import { paymentOf } from './history-player';

type Told = CallOutcome['verdicts'][number];

/** A call that was answered, with the round as it is kept after it. */
export interface AnsweredCall {
  readonly transactions: readonly Transaction[];
  readonly outcome: CallOutcome;
  readonly report: RoundReport | null;
  readonly policy: MoneyPolicy;
}

/**
 * What a call did to a store that keeps the money: a moment for each commit. It is one commit, but
 * that a void, or a credit by shares, may have to wait for the debits before it, and that voids
 * are written apart from all else.
 */
export function workOf({ transactions, outcome, report, policy }: AnsweredCall): Work {
  const moments: Moment[] = [];
  let current: Balances = new Map();
  let hasTaken = false;
  let written: 'voids' | 'others' | null = null;
  for (const [at, verdict] of outcome.verdicts.entries()) {
    const transaction = transactions[at] as Transaction;
    const { type, hash } = transaction;
    const waits = type === 'void' || (type === 'credit' && policy.creditTo === 'stakeShares');
    const kind = type === 'void' ? 'voids' : 'others';
    if ((hasTaken && waits) || (written !== null && written !== kind)) {
      moments.push(current);
      [current, hasTaken, written] = [new Map(), false, null];
    }
    const entry = report?.entries.get(hash);
    if (isWritten(verdict, entry)) written ??= kind;
    if (verdict.outcome !== 'processed' || verdict.replay) continue;
    if (type === 'debit') hasTaken = true;
    const currency = report?.head.currency ?? null;
    if (currency !== null) current = moved(current, new Map([[currency, effectOf(type, entry)]]));
  }
  const stages = [...moments, current].map((moment) => [moment]);
  return { stages: stages.filter(([moment]) => moment !== undefined && moment.size > 0) };
}

/** Whether a verdict was recorded under its hash: not a replay, nor a refusal of what is known. */
function isWritten(verdict: Told, entry: HashEntry | undefined): boolean {
  if (verdict.replay) return false;
  if (verdict.outcome === 'processed') return true;
  if (verdict.code === 'TRANSACTIONALREADYEXISTS' || verdict.code === 'INVALIDPARAMETER') {
    return false;
  }
  return entry?.transaction?.outcome === verdict.code;
}

/**
 * What a call did by way of a ledger: a moment for each posting, and for each reversal of one. Of
 * the transactions that it was told as processed, those that are its own; what is shared with
 * another call may have come at any time, and is work apart. Voids that follow each other are taken
 * back together, in any order.
 */
export function postingsOf(
  { transactions, outcome, report }: AnsweredCall,
  whose: (name: string) => 'own' | 'shared' | 'others',
): Work[] {
  const stages: Moment[][] = [];
  const shared: Work[] = [];
  let voids: Moment[] | null = null;
  const currency = report?.head.currency ?? null;
  for (const [at, verdict] of outcome.verdicts.entries()) {
    const { type, hash } = transactions[at] as Transaction;
    if (verdict.outcome !== 'processed' || currency === null) continue;
    const owner = whose(type === 'void' ? `void ${hash}` : hash);
    if (owner === 'others') continue;
    const entry = report?.entries.get(hash);
    const whole = effectOf(type, entry);
    const parts = type === 'void' ? reversalsOf(hash, report, whole) : [whole];
    const moving = parts.filter((purse) => !isEmptyPurse(purse));
    if (moving.length === 0) continue;
    const stage = moving.map((purse) => new Map([[currency, purse]]));
    if (owner === 'shared') {
      shared.push({ stages: [stage] });
    } else if (type === 'void' && voids !== null) {
      voids.push(...stage);
    } else {
      stages.push(stage);
      voids = type === 'void' ? stage : null;
    }
  }
  return [{ stages }, ...shared];
}

/** What a void took back, posting by posting. */
function reversalsOf(hash: string, report: RoundReport | null, whole: Purse): Purse[] {
  const entries = report?.entries ?? new Map<string, HashEntry>();
  const target = entries.get(hash)?.transaction;
  const isFirst = target?.type === 'debit' && target.first;
  if (!isFirst || report?.head.state !== 'voided') return [whole];
  const parts = Array.from(entries, ([other, entry]): Purse => {
    const record = entry.transaction;
    const wasReversed = other !== hash && !isEmptyPurse(entry.void?.purse ?? emptyPurse);
    if (record === undefined || record.type === 'end' || wasReversed) return emptyPurse;
    if (record.outcome !== 'accepted' && record.outcome !== 'unanswered') return emptyPurse;
    return subtractPurses(emptyPurse, effectOf(record.type, entry));
  });
  // A round that was voided before is not taken back again.
  const { real, bonus } = parts.reduce(addPurses, emptyPurse);
  return real === whole.real && bonus === whole.bonus ? parts : [whole];
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
