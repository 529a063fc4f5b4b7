import type { Transaction, TransactionType } from '../../protocol/operator-api/transaction';
import { demand, toText } from './broken-rule';

/** How a transaction was answered. */
export interface Verdict {
  readonly hash: string;
  /** `processed`, or the code of its refusal. */
  readonly answer: string;
  /** Whether it was known before this call. */
  readonly replay: boolean;
}

/** The answer to a voided debit, and to every known hash of a voided round (D3.1). */
export const voidedCode = 'GAMEROUNDVOIDED';

/** The answer to credits and ends that a void took back with their debit (D5.3), and after a failed debit (D4.5). */
export const takenBackCode = 'DEBITFAILEDBEFORE';

/** A hash of a round: what was sent with it, how it was answered, and whether it was voided. */
export class Known {
  /** The debits, credits and ends with this hash, all of one content; none if only a void was sent. */
  readonly transactions: Transaction[] = [];
  /** The first answer; null before it. */
  answer: string | null = null;
  /** The debit before it in the call that was first answered so; null if there is none. */
  behind: Known | null = null;
  /** The debit before it in each of its calls; null for a call without one. */
  readonly debits = new Set<Known | null>();
  isVoidSent = false;
  /** In which work its void was answered, see {@link RoundAnswers}; null before that. */
  voidedIn: number | null = null;

  constructor(readonly hash: string) {}

  /** A hash that is known by its void alone is a debit's. */
  get type(): TransactionType {
    return this.transactions[0]?.type ?? 'debit';
  }

  get isFirstDebit(): boolean {
    const [one] = this.transactions;
    return one?.type === 'debit' && one.isFirstDebit === true;
  }

  /** What it moves: a debit's stake, or a credit's amount. */
  get units(): bigint {
    const [one] = this.transactions;
    if (one?.type === 'debit') return one.amount - one.discount;
    return one?.type === 'credit' ? one.amount : 0n;
  }
}

/**
 * What the answers say of one round. It knows which answers fit each other (O8, D3.1, D4.6, D5.3), and what stands and
 * moves money by them (O1, O4, O5). Work is what is sent together: only a void that was answered in an earlier work has
 * surely come before.
 */
export abstract class RoundAnswers<K extends Known> {
  /** By hash. */
  readonly known = new Map<string, K>();
  protected work = 0;

  /** `name`: for messages. */
  constructor(protected readonly name: string) {}

  protected abstract create(hash: string): K;

  /** In which work the round was voided; null before that. */
  protected abstract get roundVoidedIn(): number | null;

  protected enterCall(transactions: readonly Transaction[]): K[] {
    let debit: K | null = null;
    return transactions.map(({ type, hash }) => {
      const known = this.of(hash);
      if (type === 'credit' || type === 'end') known.debits.add(debit);
      if (type === 'debit') debit = known;
      return known;
    });
  }

  /** What is sent and answered from here on is the next work. */
  protected beginWork(): void {
    this.work += 1;
  }

  /** The void of this hash was answered as processed. */
  acceptVoid(known: Known): void {
    known.isVoidSent = true;
    known.voidedIn ??= this.work;
  }

  /** Whether this was before the work in progress. */
  protected isEarlier(work: number | null): boolean {
    return work !== null && work < this.work;
  }

  /** Takes an answer to a transaction that comes after this debit in its call (O8). */
  protected hear(known: K, { answer, replay }: Verdict, debit: Known | null): void {
    known.answer ??= answer;
    if (!replay && answer === known.answer) known.behind = debit;
    const possible = this.possibleAnswers(known, known.answer);
    demand(possible.includes(answer), 'O8', () => {
      const text = toText(known.transactions[0]);
      return `${this.name}: ${text} was answered ${answer}, not ${possible.join(' or ')}`;
    });
  }

  /** The same answer again, until a void; then 9003 or 9004 (D3.1, D5.3), for good. */
  private possibleAnswers(known: K, own: string): readonly string[] {
    const isDebit = known.type === 'debit';
    const isTaken = isDebit && own === 'processed';
    const byRound = this.mayRoundBeVoided ? [voidedCode] : [];
    if (this.isEarlier(this.roundVoidedIn)) return [voidedCode];
    if (isTaken && this.isEarlier(known.voidedIn)) return [voidedCode];
    if (this.wasTakenBack(known)) return [takenBackCode, ...byRound];
    if (isTaken && this.mayBeVoided(known)) return [own, voidedCode];
    if (!isDebit && this.mayBeTakenBack(known)) return [own, takenBackCode, ...byRound];
    return [own, ...byRound];
  }

  /** D4.6: the new debits of a call stand or fall together, and what is new after the first of them. */
  protected checkTogether(
    transactions: readonly Pick<Transaction, 'type'>[],
    verdicts: readonly Verdict[],
  ): void {
    const isDebit = (at: number): boolean => transactions[at]?.type === 'debit';
    if (!verdicts.some(({ answer }, at) => answer !== 'processed' && isDebit(at))) return;
    const from = verdicts.findIndex(({ replay }, at) => !replay && isDebit(at));
    for (const [at, { hash, answer, replay }] of verdicts.entries()) {
      const isNew = !replay && from >= 0 && at >= from && transactions[at]?.type !== 'void';
      demand(!isNew || answer !== 'processed', 'D4.6', () => {
        return `${this.name}: ${hash} is processed, and a debit of its call is not`;
      });
    }
  }

  /** Whether a void of it may have come by now. */
  mayBeVoided({ isVoidSent }: Known): boolean {
    return isVoidSent;
  }

  /** Whether a void of the whole round may have come by now. */
  protected get mayRoundBeVoided(): boolean {
    return this.roundVoidedIn !== null;
  }

  /** Whether it followed a debit in some call that may be voided. */
  mayBeTakenBack(known: K): boolean {
    return [...known.debits].some((debit) => debit !== null && this.mayBeVoided(debit));
  }

  /** In which work the void of its debit took back a credit or end (D5.3); null before that. */
  protected takenBackIn({ behind }: K): number | null {
    return behind?.voidedIn ?? null;
  }

  /** Whether the wallet must know by now that it is taken back: what was refused may stay as it was. */
  protected wasTakenBack(known: K): boolean {
    return known.answer === 'processed' && this.isEarlier(this.takenBackIn(known));
  }

  /** Whether it counts as processed, until it is taken back. */
  protected counts({ answer }: K): boolean {
    return answer === 'processed';
  }

  /** Whether it was taken back: with the round, by its own void, or by that of its debit. */
  isGone(known: K): boolean {
    if (this.roundVoidedIn !== null) return true;
    return (known.type === 'debit' ? known.voidedIn : this.takenBackIn(known)) !== null;
  }

  /** What was processed, and not taken back. */
  get standing(): K[] {
    return [...this.known.values()].filter((known) => this.counts(known) && !this.isGone(known));
  }

  /** What the round adds to its player's money (O1); nothing if it is voided (O4). */
  get net(): bigint {
    let net = 0n;
    if (this.roundVoidedIn !== null) return net;
    for (const known of this.known.values()) {
      if (!this.counts(known) || this.isGone(known)) continue;
      net += known.type === 'debit' ? -known.units : known.units;
    }
    return net;
  }

  /** What is known of a hash. */
  protected of(hash: string): K {
    const known = this.known.get(hash) ?? this.create(hash);
    this.known.set(hash, known);
    return known;
  }
}
