import assert from 'node:assert/strict';
import { type DebitRecord, type HashEntry, unseenRound } from '../gameround';
import { addPurses, emptyPurse, isEmptyPurse, type Purse, subtractPurses } from '../money';
import type { Transaction } from '../protocol';
import type { CallOutcome, RoundReport } from '../wallet';
import { toText } from './history';
import { isGivenUp, MovingDebits } from './history-doubt';
import type { Guess } from './history-moments';

type Told = CallOutcome['verdicts'][number];

/** What a round did to its player's money, all in one currency. */
export interface RoundEffect {
  /** The round's currency; null where no debit was ever accepted, and nothing moved. */
  readonly currency: string | null;
  /** As the answers tell; a debit whose answer was lost counts by what is recorded. */
  readonly total: bigint;
  /** As the records tell, by balance. */
  readonly net: Purse;
  /** Debits that a ledger may have taken, or not, until they are voided (D7); below zero. */
  readonly uncertain: readonly Guess[];
  /** What may have moved since the last check, and need not have, or was taken back. */
  readonly guesses: readonly Guess[];
}

/** What a round did that is not known yet. */
export const noEffect: RoundEffect = Object.freeze({
  currency: null,
  total: 0n,
  net: emptyPurse,
  uncertain: [],
  guesses: [],
});

/**
 * What the RGS was told of one round, held against what the store keeps of it. It knows which
 * answers fit together (O2, O3, O8) and what they make of the money (O1, O4, O5), not the rules.
 */
export class HistoryRound {
  private readonly toldByContent = new Map<string, string>();
  /** Answers that were not replays, by what is recorded: a void is apart from its debit. */
  private readonly firstTimes = new Map<string, number>();
  private readonly owners = new Map<string, { told: string; transactions: Transaction[] }>();
  private readonly voided = new Set<string>();
  private readonly lost = new Set<string>();
  /** Debits that came, and whose outcome was told as unknown or not at all. */
  private readonly doubtful = new Set<string>();
  private readonly claimed = new Set<string>();
  private readonly moving = new MovingDebits();

  /** `movesApart`: whether the money is in a ledger, and each posting a moment of its own. */
  constructor(private readonly movesApart: boolean) {}

  /** Notes a debit whose answer is lost, and whether it arrived. */
  lose(hash: string, arrives: boolean): void {
    this.lost.add(hash);
    if (arrives) this.doubtful.add(hash);
  }

  /** Notes transactions from one on whose outcome is not known: the round was cancelled (D7). */
  doubt(transactions: readonly Transaction[], report: RoundReport | null, cause: Error): void {
    const [first] = transactions;
    const isHere = first?.type === 'debit' && isUnanswered(first.hash, report);
    const text = `${toText(first)} must be answered: ${cause.message}`;
    assert.ok(this.movesApart && isHere, text);
    for (const { hash, type } of transactions) {
      if (type === 'debit' && isUnanswered(hash, report)) this.lose(hash, true);
    }
  }

  /** Whether what is recorded so is counted for the first time. */
  claim(name: string): boolean {
    const isNew = !this.claimed.has(name);
    this.claimed.add(name);
    return isNew;
  }

  /** Whether debits whose answer was lost still wait for their void; their hashes. */
  get unresolved(): readonly string[] {
    return [...this.lost].filter((hash) => !this.voided.has(hash));
  }

  /** Notes what a transaction was answered, and that it fits what was answered before. */
  tell(transaction: Transaction, verdict: Told): void {
    const { hash, type } = transaction;
    assert.equal(verdict.hash, hash, 'the verdicts must be in the order of the transactions');
    const told = verdict.outcome === 'processed' ? 'processed' : verdict.code;
    const content = type === 'void' ? `void ${hash}` : contentOf(transaction);
    const before = this.toldByContent.get(content) ?? told;
    assert.equal(told, before, `O8: ${content} must be answered the same again`);
    this.toldByContent.set(content, told);
    if (told === 'TRANSACTIONALREADYEXISTS') return;
    if (type === 'void') {
      if (told !== 'processed') return assert.equal(told, 'INVALIDPARAMETER', content);
      this.voided.add(hash);
    } else {
      this.own(transaction, told);
    }
    const name = type === 'void' ? `void ${hash}` : hash;
    const times = (this.firstTimes.get(name) ?? 0) + (verdict.replay ? 0 : 1);
    this.firstTimes.set(name, times);
  }

  /**
   * Checks all that was told against the round as it is kept, while nothing is under way.
   * `isTogether`: whether several calls of the round came at once.
   */
  check(report: RoundReport | null, isTogether: boolean): RoundEffect {
    const entries = report?.entries ?? new Map<string, HashEntry>();
    for (const [name, times] of this.firstTimes) {
      const isOnce = times === 1 || (this.movesApart && isDoneByOthers(times, entries.get(name)));
      assert.ok(isOnce, `O2: ${name} must be processed once, all else be replays`);
    }
    const isVoided = report?.head.state === 'voided';
    for (const [hash, { told, transactions }] of this.owners) {
      const entry = entries.get(hash);
      const wasGivenUp = this.movesApart && (isVoided || this.voided.has(hash)) && isGivenUp(entry);
      const outcome = wasGivenUp && told === 'GAMEROUNDVOIDED' ? 'unanswered' : told;
      for (const one of transactions) checkRecord(one, outcome, entry);
    }
    const hasGivenUp = this.movesApart && [...entries.values()].some(isGivenUp);
    for (const [hash, entry] of entries) {
      assert.equal(entry.void !== undefined, this.voided.has(hash), `O3: void of ${hash}`);
      const isTold = entry.transaction === undefined || this.owners.has(hash);
      const isDeclined = hasGivenUp && entry.transaction?.outcome === 'DEBITFAILEDBEFORE';
      const isKnown = isTold || isDeclined || this.lost.has(hash);
      assert.ok(isKnown, `${hash} is recorded and nobody was told`);
    }
    const effect = this.weigh(report, entries);
    if (!this.movesApart) return effect;
    const came = (hash: string): boolean => !this.lost.has(hash) || this.doubtful.has(hash);
    return { ...effect, ...this.moving.compare(entries, isVoided, came, isTogether) };
  }

  private own(transaction: Transaction, told: string): void {
    const { hash } = transaction;
    const owner = this.owners.get(hash) ?? { told, transactions: [] };
    assert.equal(told, owner.told, `O8: ${hash} has two outcomes`);
    const fits = owner.transactions.every((other) => haveSameContent(transaction, other));
    assert.ok(fits, `D3.2: ${toText(transaction)} was taken for another one`);
    owner.transactions.push(transaction);
    this.owners.set(hash, owner);
  }

  /** O4, and the sums: what the records say together. */
  private weigh(report: RoundReport | null, entries: ReadonlyMap<string, HashEntry>): RoundEffect {
    const took = debitsThatTook(entries);
    const first = [...took].filter(([, record]) => record.first).map(([hash]) => hash);
    assert.equal(first.length, took.size > 0 ? 1 : 0, 'a round has one accepted initial debit');
    const isVoided = first.some((hash) => this.voided.has(hash));
    const head = report?.head ?? unseenRound;
    if (took.size > 0) assert.equal(head.state === 'voided', isVoided, `O4: it is ${head.state}`);
    let [net, debits, credits] = [emptyPurse, emptyPurse, emptyPurse];
    for (const [hash, entry] of entries) {
      const { void: order, transaction: record } = entry;
      const paid = took.get(hash);
      if (order !== undefined) net = addPurses(net, order.purse);
      if (paid !== undefined) {
        assert.equal(paid.currency, head.currency, `all money is of one currency: ${hash}`);
        net = subtractPurses(net, paid.purse);
        if (order === undefined) debits = addPurses(debits, paid.purse);
        else if (!isVoided) assert.deepEqual(order.purse, paid.purse, `D5.3: void of ${hash}`);
      } else if (record?.type === 'credit' && record.outcome === 'accepted') {
        assert.equal(record.currency, head.currency, `all money is of one currency: ${hash}`);
        net = addPurses(net, record.purse);
        credits = addPurses(credits, record.purse);
      }
    }
    if (isVoided) assert.deepEqual(net, emptyPurse, 'O4: a voided round nets to 0');
    const sums = isVoided ? [emptyPurse, emptyPurse] : [debits, credits];
    assert.deepEqual([head.debits, head.credits], sums, 'the sums of the head');
    const total = isVoided ? 0n : this.toldTotal(took);
    return { ...noEffect, currency: head.currency, total, net };
  }

  /** O1: what the answers, and the records of lost ones, make of the money. */
  private toldTotal(took: ReadonlyMap<string, DebitRecord>): bigint {
    let total = 0n;
    for (const [hash, { told, transactions }] of this.owners) {
      const [one] = transactions;
      if (told !== 'processed' || one === undefined) continue;
      if (one.type === 'debit' && !this.voided.has(hash)) total -= one.amount - one.discount;
      if (one.type === 'credit') total += one.amount;
    }
    for (const hash of this.unresolved) total -= sumOf(took.get(hash)?.purse ?? emptyPurse);
    return total;
  }
}

function isUnanswered(hash: string, report: RoundReport | null): boolean {
  return report?.entries.get(hash)?.transaction?.outcome === 'unanswered';
}

/** Whether another call that helped it on may have been told first: never is one told twice. */
function isDoneByOthers(times: number, entry: HashEntry | undefined): boolean {
  return times === 0 || isGivenUp(entry);
}

/** The accepted debits; of those whose answer was lost, the ones that took money. */
function debitsThatTook(entries: ReadonlyMap<string, HashEntry>): Map<string, DebitRecord> {
  const took = new Map<string, DebitRecord>();
  for (const [hash, { transaction: record }] of entries) {
    if (record?.type !== 'debit') continue;
    const hasTaken = record.outcome === 'unanswered' && !isEmptyPurse(record.purse);
    if (record.outcome === 'accepted' || hasTaken) took.set(hash, record);
  }
  return took;
}

/** An absent isFirstDebit fits both (D2.3); two that are sent must be equal. */
function haveSameContent(one: Transaction, other: Transaction): boolean {
  if (one.type !== 'debit' || other.type !== 'debit') return contentOf(one) === contentOf(other);
  const [a, b] = [one.isFirstDebit, other.isFirstDebit];
  const fits = a === null || b === null || a === b;
  return fits && contentOf({ ...one, isFirstDebit: b }) === contentOf(other);
}

/** All of a transaction as text, whatever the order of its fields. */
function contentOf(transaction: Transaction): string {
  return toText(Object.entries(transaction).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The record of a hash is what was sent and what was told. */
function checkRecord(sent: Transaction, told: string, entry: HashEntry | undefined): void {
  const record = entry?.transaction;
  const text = `${toText(sent)} was told ${told} and is kept as ${toText(record)}`;
  const isProcessed = told === 'processed';
  assert.equal(record?.outcome, isProcessed ? 'accepted' : told, `O3: ${text}`);
  assert.equal(record?.type, sent.type, text);
  if (record?.type === 'debit' && sent.type === 'debit') {
    const { amount, discount, currency, serial } = sent;
    assert.deepEqual([record.amount, record.discount], [amount, discount], text);
    assert.deepEqual([record.currency, record.serial], [currency, serial], text);
    assert.equal(record.first, sent.isFirstDebit ?? record.first, text);
    const { purse } = record;
    assert.equal(sumOf(purse), isProcessed ? amount - discount : 0n, `O1: ${text}`);
    assert.ok(purse.real >= 0n && purse.bonus >= 0n, text);
  }
  if (record?.type === 'credit' && sent.type === 'credit') {
    assert.deepEqual([record.amount, record.currency], [sent.amount, sent.currency], text);
    assert.equal(sumOf(record.purse), isProcessed ? sent.amount : 0n, `O1: ${text}`);
  }
}

/** Both parts together. */
export function sumOf({ real, bonus }: Purse): bigint {
  return real + bonus;
}
