import assert from 'node:assert/strict';
import type { Transaction } from '../../protocol/operator-api';
import type { CallOutcome } from '../../operator/wallet';
import { toText } from './action';

/** The answer to a transaction of a call. */
export type TransactionVerdict = CallOutcome['verdicts'][number];

/** A debit, credit or end, and its first answer. */
export interface HashAnswers {
  readonly transactions: Transaction[];
  readonly answer: string;
  /** The debit before it in the call that first had this answer; null if there is none. */
  behind: string | null;
}

interface RecordedAnswer {
  readonly transaction: Transaction;
  readonly answer: string;
  readonly replay: boolean;
  readonly behind: string | null;
}

/** The effect of voids on a round by the time of a check. */
interface VoidedSoFar {
  /** Whether the round is voided now, and whether it was at the last quiet moment. */
  readonly isRoundVoided: boolean;
  readonly wasRoundVoided: boolean;
  /** Hashes that were known as taken back before. */
  readonly takenBefore: ReadonlySet<string>;
}

/**
 * The answers to the RGS on one round. Calls come concurrently: their answers are checked when nothing is
 * in progress any more.
 */
export class RoundAnswers {
  /** By hash. */
  readonly hashes = new Map<string, HashAnswers>();
  /** Answers that were not replays, by record: a void is separate from its debit. */
  readonly firstTimes = new Map<string, number>();
  /** Hashes whose void was answered. */
  readonly voided = new Set<string>();
  private readonly voidedBefore = new Set<string>();
  /** Whether this content was answered as another transaction of that hash (D3.2). */
  private readonly isOtherByContent = new Map<string, boolean>();
  /** The debits that preceded a hash in its calls; null for a call without one. */
  private readonly debitsBefore = new Map<string, Set<string | null>>();
  private recordedAnswers: RecordedAnswer[] = [];

  /** Records a call and its verdicts, which may be fewer. */
  record(transactions: readonly Transaction[], verdicts: readonly TransactionVerdict[]): void {
    let behind: string | null = null;
    for (const [at, transaction] of transactions.entries()) {
      const { hash, type } = transaction;
      const verdict = verdicts[at];
      if (type === 'credit' || type === 'end') this.addDebitBefore(hash, behind);
      if (verdict !== undefined) this.recordVerdict(transaction, verdict, behind);
      if (type === 'debit') behind = hash;
    }
    checkTogether(transactions, verdicts);
  }

  /** Whether a void of this hash was answered before the work in progress. */
  wasVoided(hash: string): boolean {
    return this.voidedBefore.has(hash);
  }

  /** Whether the hash followed a debit that is voided in some call. */
  mayBeTakenBack(hash: string): boolean {
    return this.debitsOf(hash).some((debit) => debit !== null && this.voided.has(debit));
  }

  /** Whether the hash followed a debit that is voided in every call. */
  mustBeTakenBack(hash: string): boolean {
    return this.debitsOf(hash).every((debit) => debit !== null && this.voided.has(debit));
  }

  /** Checks that all answers are consistent (O8, D3); then they count as earlier ones. */
  settle(voided: VoidedSoFar): void {
    for (const recorded of this.recordedAnswers.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      this.addToHash(recorded);
      this.checkAnswer(recorded, voided);
      const { transaction, answer, replay } = recorded;
      const isFirst = !replay && answer === this.hashes.get(transaction.hash)?.answer;
      // D3.1: a known hash is refused as voided, too, and moves nothing.
      if (isFirst && answer !== voidedCode) this.count(transaction.hash);
    }
    this.recordedAnswers = [];
    for (const hash of this.voided) this.voidedBefore.add(hash);
  }

  private addDebitBefore(hash: string, debit: string | null): void {
    this.debitsBefore.set(hash, new Set([...this.debitsOf(hash), debit]));
  }

  private debitsOf(hash: string): (string | null)[] {
    return [...(this.debitsBefore.get(hash) ?? [])];
  }

  private recordVerdict(
    transaction: Transaction,
    verdict: TransactionVerdict,
    behind: string | null,
  ): void {
    const { hash, type } = transaction;
    assert.equal(verdict.hash, hash, 'the verdicts must be in the order of the transactions');
    const answer = verdict.outcome === 'processed' ? 'processed' : verdict.code;
    const content = contentOf(transaction);
    const isOther = answer === 'TRANSACTIONALREADYEXISTS';
    const was = this.isOtherByContent.get(content) ?? isOther;
    assert.equal(isOther, was, `D3.2: ${content} must be answered the same again`);
    this.isOtherByContent.set(content, isOther);
    if (type === 'void') this.recordVoid(hash, verdict, answer);
    else if (!isOther)
      this.recordedAnswers.push({ transaction, answer, replay: verdict.replay, behind });
  }

  private recordVoid(hash: string, { replay }: TransactionVerdict, answer: string): void {
    if (answer !== 'processed') return assert.equal(answer, 'INVALIDPARAMETER', `void of ${hash}`);
    this.voided.add(hash);
    if (!replay) this.count(`void ${hash}`);
  }

  private count(name: string): void {
    this.firstTimes.set(name, (this.firstTimes.get(name) ?? 0) + 1);
  }

  private addToHash({ transaction, answer, replay, behind }: RecordedAnswer): void {
    const { hash } = transaction;
    const known = this.hashes.get(hash) ?? { answer, transactions: [], behind: null };
    const fits = known.transactions.every((other) => haveSameContent(transaction, other));
    assert.ok(fits, `D3.2: ${toText(transaction)} was taken for another one`);
    known.transactions.push(transaction);
    if (!replay && answer === known.answer) known.behind = behind;
    this.hashes.set(hash, known);
  }

  /** O8: the same answer again, until a void; then 9003 or 9004 (D3.1, D5.3), for good. */
  private checkAnswer({ transaction, answer }: RecordedAnswer, voided: VoidedSoFar): void {
    const { hash, type } = transaction;
    const own = this.hashes.get(hash)?.answer;
    const isDebit = type === 'debit';
    const text = `O8: ${toText(transaction)} was answered ${own} before, and now ${answer}`;
    const wasEffective = own === 'processed';
    if (voided.wasRoundVoided || (isDebit && wasEffective && this.voidedBefore.has(hash))) {
      assert.equal(answer, voidedCode, text);
    } else if (voided.takenBefore.has(hash)) {
      const codes = voided.isRoundVoided ? [takenBackCode, voidedCode] : [takenBackCode];
      assert.ok(codes.includes(answer), text);
    } else if (answer === voidedCode && answer !== own) {
      assert.ok(voided.isRoundVoided || (isDebit && wasEffective && this.voided.has(hash)), text);
    } else if (answer !== own) {
      const isTakenBack = !isDebit && this.mayBeTakenBack(hash);
      assert.ok(answer === takenBackCode && isTakenBack, text);
    }
  }
}

/** The answer to a voided debit, and to every known hash of a voided round (D3.1). */
export const voidedCode = 'GAMEROUNDVOIDED';

/** The answer to credits and ends that a void took back with their debit (D5.3). */
export const takenBackCode = 'DEBITFAILEDBEFORE';

/** D4.6: the new debits of a call stand or fall together, and what is new after the first of them. */
function checkTogether(
  transactions: readonly Transaction[],
  verdicts: readonly TransactionVerdict[],
): void {
  const isDebit = (at: number): boolean => transactions[at]?.type === 'debit';
  if (!verdicts.some(({ outcome }, at) => outcome === 'refused' && isDebit(at))) return;
  const from = verdicts.findIndex(({ replay }, at) => !replay && isDebit(at));
  for (const [at, { hash, outcome, replay }] of verdicts.entries()) {
    const isNew = !replay && from >= 0 && at >= from && transactions[at]?.type !== 'void';
    assert.ok(!isNew || outcome === 'refused', `D4.6: ${hash} is processed, and a debit is not`);
  }
}

/** Order of concurrent answers: what was processed came before any void, and the same void voids the rest. */
function rankOf({ answer, replay }: RecordedAnswer): number {
  if (answer === voidedCode) return 3;
  return (answer === 'processed' ? 0 : 1) + (replay ? 0.5 : 0);
}

/** An absent isFirstDebit matches both (D2.3); two that are sent must be equal. */
function haveSameContent(one: Transaction, other: Transaction): boolean {
  if (one.type !== 'debit' || other.type !== 'debit') return contentOf(one) === contentOf(other);
  const [a, b] = [one.isFirstDebit, other.isFirstDebit];
  const fits = a === null || b === null || a === b;
  return fits && contentOf({ ...one, isFirstDebit: b }) === contentOf(other);
}

/** All of a transaction as text, whatever the order of its fields; for a void only its hash. */
function contentOf(transaction: Transaction): string {
  if (transaction.type === 'void') return `void ${transaction.hash}`;
  return toText(Object.entries(transaction).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
