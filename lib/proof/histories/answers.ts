import type { CallOutcome } from '../../operator/wallet';
import type { Transaction } from '../../protocol/operator-api/transaction';
import { Known, RoundAnswers, type Verdict, voidedCode } from '../oracle/answers';
import { demand, toText } from '../oracle/broken-rule';

/** The answer to a transaction of a call. */
export type TransactionVerdict = CallOutcome['verdicts'][number];

interface RecordedAnswer {
  readonly transaction: Transaction;
  readonly verdict: Verdict;
  /** The debit before it in its call. */
  readonly debit: Known | null;
}

/** Answers to calls that come concurrently: they are checked when nothing is in progress any more. */
export class ConcurrentAnswers extends RoundAnswers<Known> {
  /** Answers that were not replays, by record: a void is separate from its debit. */
  readonly firstTimes = new Map<string, number>();
  /** The hashes that voids of their debits took back, by the records of the last check. */
  taken: ReadonlySet<string> = new Set();
  protected roundVoidedIn: number | null = null;
  /** Whether this content was answered as another transaction of that hash (D3.2). */
  private readonly isOtherByContent = new Map<string, boolean>();
  private recordedAnswers: RecordedAnswer[] = [];

  /** Records a call and its verdicts, which may be fewer. */
  record(transactions: readonly Transaction[], made: readonly TransactionVerdict[]): void {
    const verdicts = made.map(plain);
    let debit: Known | null = null;
    for (const [at, known] of this.enterCall(transactions).entries()) {
      const transaction = transactions[at] as Transaction;
      const verdict = verdicts[at];
      if (verdict !== undefined) this.recordVerdict(known, transaction, verdict, debit);
      if (transaction.type === 'debit') debit = known;
    }
    this.checkTogether(transactions, verdicts);
  }

  /** Whether a hash was answered, other than by its void. */
  isAnswered(hash: string): boolean {
    return (this.known.get(hash)?.answer ?? null) !== null;
  }

  /** Whether the void of a hash was answered. */
  isVoided(hash: string): boolean {
    return (this.known.get(hash)?.voidedIn ?? null) !== null;
  }

  /** Whether a void of this hash was answered before the work in progress. */
  wasVoided(hash: string): boolean {
    return this.isEarlier(this.known.get(hash)?.voidedIn ?? null);
  }

  /** Whether the hash followed a debit that is voided in every call. */
  mustBeTakenBack({ debits }: Known): boolean {
    return [...debits].every((debit) => debit !== null && debit.voidedIn !== null);
  }

  /** Checks that all answers are consistent (O8, D3); then they count as earlier ones. */
  settle(isRoundVoided: boolean): void {
    if (isRoundVoided) this.roundVoidedIn ??= this.work;
    for (const recorded of this.recordedAnswers.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const { transaction, verdict, debit } = recorded;
      const known = this.of(transaction.hash);
      const fits = known.transactions.every((other) => haveSameContent(transaction, other));
      demand(fits, 'D3.2', () => `${toText(transaction)} was taken for another one`);
      known.transactions.push(transaction);
      this.hear(known, verdict, debit);
      const isFirst = !verdict.replay && verdict.answer === known.answer;
      // D3.1: a known hash is refused as voided, too, and moves nothing.
      if (isFirst && verdict.answer !== voidedCode) this.count(known.hash);
    }
    this.recordedAnswers = [];
    this.beginWork();
  }

  protected create(hash: string): Known {
    return new Known(hash);
  }

  protected override takenBackIn({ hash }: Known): number | null {
    return this.taken.has(hash) ? this.work - 1 : null;
  }

  protected override wasTakenBack({ hash }: Known): boolean {
    return this.taken.has(hash);
  }

  private recordVerdict(
    known: Known,
    transaction: Transaction,
    verdict: Verdict,
    debit: Known | null,
  ): void {
    const { hash, type } = transaction;
    const { answer, replay } = verdict;
    demand(
      verdict.hash === hash,
      'D6.1',
      () => 'the verdicts are in the order of the transactions',
    );
    const content = contentOf(transaction);
    const isOther = answer === 'TRANSACTIONALREADYEXISTS';
    const was = this.isOtherByContent.get(content) ?? isOther;
    demand(isOther === was, 'D3.2', () => `${content} must be answered the same again`);
    this.isOtherByContent.set(content, isOther);
    if (type !== 'void') {
      if (!isOther) this.recordedAnswers.push({ transaction, verdict, debit });
      return;
    }
    if (answer !== 'processed') {
      demand(answer === 'INVALIDPARAMETER', 'D5.1', () => `the void of ${hash} gets ${answer}`);
      return;
    }
    this.acceptVoid(known);
    if (!replay) this.count(`void ${hash}`);
  }

  private count(name: string): void {
    this.firstTimes.set(name, (this.firstTimes.get(name) ?? 0) + 1);
  }
}

function plain(verdict: TransactionVerdict): Verdict {
  const { hash, outcome, replay } = verdict;
  return { hash, replay, answer: outcome === 'processed' ? outcome : verdict.code };
}

/** Order of concurrent answers: what was processed came before any void, and the same void voids the rest. */
function rankOf({ verdict: { answer, replay } }: RecordedAnswer): number {
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
