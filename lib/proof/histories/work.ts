import assert from 'node:assert/strict';
import type {
  CreditRecord,
  DebitRecord,
  HashEntry,
  MoneyPolicy,
  Movement,
} from '../../operator/gameround';
import {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  type Purse,
  subtractPurses,
} from '../../protocol/money/purse';
import type { Transaction } from '../../protocol/operator-api/transaction';
import type { CallOutcome, RoundReport, Written } from '../../operator/wallet';
import { takenBackCode } from '../oracle/answers';
import { toText } from '../oracle/broken-rule';
import { checkCredit, paymentOf } from '../oracle/payments';
import type { TransactionVerdict } from './answers';
import { type Balances, moved, type Moment, type Work, sumOf } from './moments';

/** A call that was answered, with the round as stored after it. */
export interface AnsweredCall {
  readonly transactions: readonly Transaction[];
  readonly outcome: CallOutcome;
  readonly report: RoundReport | null;
  readonly policy: MoneyPolicy;
}

/**
 * The effect of a call on a store that keeps the money, by the changes that it committed: each is one
 * moment, in their order. What a `take` took of each balance is in the debit's record.
 */
export function workOf(commits: readonly Written[], report: RoundReport | null): Work {
  const moments = commits.map(({ movements }) => {
    return movements.reduce((moment: Moment, movement) => {
      return moved(moment, new Map([[movement.currency, movedBy(movement, report)]]));
    }, new Map());
  });
  return { stages: moments.filter(({ size }) => size > 0).map((moment) => [moment]) };
}

function movedBy(movement: Movement, report: RoundReport | null): Purse {
  if (movement.kind !== 'take') return movement.purse;
  const record = report?.entries.get(movement.hash)?.transaction;
  assert.ok(record?.type === 'debit', `the debit ${movement.hash} was committed and is not stored`);
  return subtractPurses(emptyPurse, record.purse);
}

/**
 * The effect of a call through a ledger: a moment for each posting, and for each reversal of one. Of the
 * transactions answered as processed only its own count; what is shared with another call may have come at
 * any time, and is separate work. Consecutive voids are taken back together, in any order.
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
    const transaction = transactions[at] as Transaction;
    const { type, hash } = transaction;
    if (verdict.outcome !== 'processed' || currency === null) continue;
    const owner = whose(type === 'void' ? `void ${hash}` : hash);
    if (owner === 'others') continue;
    const entry = report?.entries.get(hash);
    const whole = effectOf(transaction, entry);
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
  if (target?.type !== 'debit') return [whole];
  // What it took back may sum to zero: a debit and a credit of the same amount. For a refused debit it is
  // nothing.
  const hasTaken = target.outcome === 'accepted' || target.outcome === 'unanswered';
  if (isEmptyPurse(whole) && !hasTaken) return [whole];
  const isRound = target.first && report?.head.state === 'voided';
  const parts = isRound ? roundPartsOf(hash, entries) : followUpPartsOf(target, entries);
  // A round that was voided before is not taken back again; what stranded a round had moved nothing.
  const candidates = [parts, parts.slice(0, -1)];
  return (
    candidates.find((some) => sumOf(some.reduce(addPurses, emptyPurse)) === sumOf(whole)) ?? [whole]
  );
}

/** For a first debit: everything that was accepted, and not taken back before (D5.2). */
function roundPartsOf(hash: string, entries: ReadonlyMap<string, HashEntry>): Purse[] {
  return Array.from(entries, ([other, entry]): Purse => {
    const record = entry.transaction;
    const wasReversed = other !== hash && hasOwnReversal(entry, entries);
    if (record === undefined || record.type === 'end' || wasReversed) return emptyPurse;
    if (record.outcome !== 'accepted' && record.outcome !== 'unanswered') return emptyPurse;
    return record.type === 'debit' ? record.purse : subtractPurses(emptyPurse, record.purse);
  });
}

/** Whether a follow-up debit was taken back by its own void, if only with credits of the same amount. */
function hasOwnReversal(
  { transaction: record, void: order }: HashEntry,
  entries: ReadonlyMap<string, HashEntry>,
): boolean {
  if (order === undefined || record?.type !== 'debit') return false;
  return !isEmptyPurse(order.purse) || creditsTakenBackWith(record, entries).length > 0;
}

/** For a follow-up debit: it, and the credits after it that are declined since (D5.3). */
function followUpPartsOf(debit: DebitRecord, entries: ReadonlyMap<string, HashEntry>): Purse[] {
  const credits = creditsTakenBackWith(debit, entries);
  return [debit.purse, ...credits.map(({ amount }): Purse => ({ real: -amount, bonus: 0n }))];
}

function creditsTakenBackWith(
  { behind }: DebitRecord,
  entries: ReadonlyMap<string, HashEntry>,
): CreditRecord[] {
  return behind.flatMap((hash) => {
    const record = entries.get(hash)?.transaction;
    return record?.type === 'credit' && record.outcome === takenBackCode ? [record] : [];
  });
}

/**
 * Checks a call that was alone with its player: each debit is paid in the requested order, and refused for
 * funds only if they are too low.
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
    if (verdict.outcome === 'refused' && verdict.code === takenBackCode) {
      balances = moved(balances, fallenOf(transaction, balances, policy));
    }
    const currency = report?.head.currency ?? null;
    if (isSplitLost(transaction, verdict, call)) return;
    if (verdict.outcome === 'processed' && currency !== null) {
      const effect = effectOf(transaction, report?.entries.get(hash));
      balances = moved(balances, new Map([[currency, effect]]));
    }
  }
}

/** Checks that each credit that was paid went where `creditTo` says. */
export function checkCredits(name: string, { report, policy }: AnsweredCall): void {
  const entries = report?.entries ?? new Map<string, HashEntry>();
  for (const [hash, { transaction: record }] of entries) {
    if (record?.type !== 'credit' || record.outcome !== 'accepted') continue;
    checkCredit(`${name}: ${hash}`, record.purse, entries, policy);
  }
}

/** What a transaction would have moved that fell with a later debit of its call (D4.6): that debit counts on it. */
function fallenOf(
  transaction: Transaction,
  balances: Balances,
  { useBonusFirst }: AnsweredCall['policy'],
): Moment {
  if (transaction.type === 'credit') {
    return new Map([[transaction.currency, { real: transaction.amount, bonus: 0n }]]);
  }
  if (transaction.type !== 'debit') return new Map();
  const { currency, amount, discount } = transaction;
  const has = balances.get(currency) ?? emptyPurse;
  const paid = paymentOf(has, amount - discount, useBonusFirst) ?? emptyPurse;
  return new Map([[currency, subtractPurses(emptyPurse, paid)]]);
}

/**
 * Whether nothing shows any more to which balances a call's credits went: they were split, and taken back
 * since (D5.3).
 */
export function hasLostSplit(call: AnsweredCall): boolean {
  const { transactions, outcome } = call;
  return outcome.verdicts.some((verdict, at) => {
    return isSplitLost(transactions[at] as Transaction, verdict, call);
  });
}

function isSplitLost(
  { type, hash }: Transaction,
  { outcome }: TransactionVerdict,
  { report, policy }: AnsweredCall,
): boolean {
  if (outcome !== 'processed' || policy.creditTo === 'real' || report === null) return false;
  const { entries } = report;
  const target = entries.get(hash)?.transaction;
  if (type === 'credit') return target?.outcome === takenBackCode;
  const behind = type === 'void' && target?.type === 'debit' ? target.behind : [];
  return behind.some((other) => entries.get(other)?.transaction?.outcome === takenBackCode);
}

/** What a processed transaction moved; for a credit that was taken back since, its amount. */
function effectOf(transaction: Transaction, entry: HashEntry | undefined): Purse {
  if (transaction.type === 'void') return entry?.void?.purse ?? emptyPurse;
  const record = entry?.transaction;
  if (record === undefined || record.type === 'end') return emptyPurse;
  if (record.type === 'debit') return subtractPurses(emptyPurse, record.purse);
  return record.outcome === takenBackCode ? { real: record.amount, bonus: 0n } : record.purse;
}
