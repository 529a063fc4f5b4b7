import type {
  Credit,
  Debit,
  End,
  Transaction,
} from '../../../lib/protocol/operator-api/transaction';
import {
  acceptedFirstDebit,
  type Answer,
  type Arrival,
  arrivalsOf,
  type Delivery,
  effectiveMovements,
  isMarked,
  isTakenBack,
  isUnanswered,
  type Log,
  notedDebit,
  recordOf,
  arrivalOf,
  partsOf,
  type State,
  untilVoidOf,
  unwrittenOf,
} from './reference-log';
import { holdsDebit, isSameContent } from './reference-content';
import { marksOf } from './reference-marks';
import { closedByRepair, paidByRepairs, stateOf } from './reference-repairs';

/** How a part of a call is read. */
interface Reading {
  /** Whether the wallet declines no debit. */
  readonly isWilling: boolean;
  /** The debit that fails, and from where on new transactions before it are declined with it (D4.6). */
  readonly failed?: Arrival | undefined;
  readonly falls?: number | undefined;
}

/** How a delivery goes. */
export interface Fate {
  /** Its transactions before this place were processed in an earlier part of it; 0 unless set. */
  readonly from?: number;
  /** Its transactions before this place are processed and written; all unless set. */
  readonly commits?: number;
}

/**
 * What decisions.md says of one round and its player, as naively as it can be said: the whole
 * history is kept, and each answer, the state and the balances are computed from it anew.
 */
export class ReferenceWallet {
  isBlocked = false;
  /** The deliveries of which a debit failed behind one that was written (D4.6). */
  readonly torn = new Set<string>();
  protected readonly log: Log[number][] = [];
  private readonly brought: Map<string, bigint>;

  constructor(
    protected readonly gameRound: string,
    /** Units by currency; the player has an account in these alone. */
    start: Readonly<Record<string, bigint>>,
  ) {
    this.brought = new Map(Object.entries(start));
  }

  /** The same history again, which goes on apart from this one. */
  copy(): ReferenceWallet {
    const copied = new ReferenceWallet(this.gameRound, {});
    copied.take(this);
    return copied;
  }

  protected take(other: ReferenceWallet): void {
    this.isBlocked = other.isBlocked;
    this.log.push(...other.log);
    for (const id of other.torn) this.torn.add(id);
    for (const [currency, units] of other.brought) this.brought.set(currency, units);
  }

  /**
   * A call arrives; resolves to what becomes of each transaction, up to one whose outcome is unknown (D6.1). A void is
   * written apart, so that a call which holds one is written in parts. No part takes a debit if the record says already
   * that a later one fails (P10). Where a debit fails and an earlier part has written one, the part is not written, and
   * its outcome is unknown; voids are processed in any case (D4.6, D7).
   */
  deliver(delivery: Delivery, { from = 0, commits = Infinity }: Fate = {}): Answer[] {
    const answers: Answer[] = [];
    let isTorn = false;
    for (const [start, end] of partsOf(delivery)) {
      if (end <= from || start >= commits) continue;
      const isVoid = delivery.transactions[start]?.type === 'void';
      if (isTorn && !isVoid) continue;
      const { length } = this.log;
      const part = this.process(delivery, Math.max(start, from), Math.min(end, commits));
      if (!isTorn) answers.push(...part);
      if (part.at(-1) === 'unknown') break;
      if (!this.isTornBy(delivery, length)) continue;
      this.log.splice(length);
      answers.splice(-part.length, part.length, 'unknown');
      isTorn = true;
      this.torn.add(delivery.id);
    }
    return answers;
  }

  /** Whether a debit of a part was not processed, while an earlier part has written one. */
  private isTornBy({ id }: Delivery, length: number): boolean {
    const isDebit = ({ delivery, transaction }: Arrival): boolean =>
      delivery.id === id && transaction.type === 'debit';
    const earlier = arrivalsOf(this.log.slice(0, length)).filter(isDebit);
    const part = arrivalsOf(this.log.slice(length)).filter(isDebit);
    const failed = part.some(({ answer }) => answer !== 'ok');
    return failed && earlier.some(({ isNew, answer }) => isNew && answer === 'ok');
  }

  /** A delivery that was answered 5xx marks its debits (D7). */
  mark(delivery: Delivery): void {
    this.log.push(...marksOf(this.log, this.gameRound, delivery));
  }

  /** The player brings money. */
  deposit(currency: string, amount: bigint): void {
    this.brought.set(currency, (this.brought.get(currency) ?? 0n) + amount);
  }

  state(): State {
    return stateOf(this.log, this.gameRound);
  }

  /** O1: start - effective debits + effective credits + what repairs paid. */
  balance(currency: string): bigint {
    const paid = paidByRepairs(this.log, this.gameRound);
    return effectiveMovements(this.log, this.gameRound)
      .map(({ transaction }) => transaction as Debit | Credit)
      .concat(paid)
      .filter((movement) => movement.currency === currency)
      .reduce(
        (sum, { type, amount }) => (type === 'debit' ? sum - amount : sum + amount),
        this.brought.get(currency) ?? 0n,
      );
  }

  /**
   * One part of a call. Its new debits stand or fall together, and with those of later parts if the record says
   * already that one of them fails (D4.6, P10); the wallet is asked last (D4.10).
   */
  private process(delivery: Delivery, start: number, end: number): Answer[] {
    const { length } = this.log;
    const { transactions } = delivery;
    const isKnownToFail = transactions.slice(end).some((one) => this.failsByRecord(one));
    const reach = isKnownToFail ? transactions.length : end;
    const [willing, asked] = [true, false].map((isWilling) => {
      const answers = this.inOrder(delivery, start, reach, { isWilling });
      return { answers, came: arrivalsOf(this.log.splice(length)) };
    });
    const failed = [willing, asked]
      .flatMap((reading) => reading?.came ?? [])
      .find(({ transaction, answer }) => transaction.type === 'debit' && answer !== 'ok');
    const earlier = this.debitsOf(delivery.id).some(({ isNew }) => isNew);
    const first = willing?.came.find(
      ({ transaction, isNew }) => transaction.type === 'debit' && isNew,
    );
    const falls = earlier ? start : first?.position;
    return this.inOrder(delivery, start, end, { isWilling: false, failed, falls });
  }

  private inOrder(delivery: Delivery, start: number, end: number, reading: Reading): Answer[] {
    const answers: Answer[] = [];
    for (const [position, transaction] of delivery.transactions.entries()) {
      if (position < start || position >= end) continue;
      const arrival = this.decide(delivery, position, transaction, reading);
      answers.push(arrival.answer);
      if (arrival.answer === 'unknown') break;
      this.log.push(arrival);
    }
    return answers;
  }

  private decide(
    delivery: Delivery,
    position: number,
    transaction: Transaction,
    { isWilling, failed, falls = Infinity }: Reading,
  ): Arrival {
    const arrival = arrivalOf(delivery, position, transaction);
    if (transaction.type === 'void') {
      return { ...arrival, answer: this.answerToVoid(transaction.hash) };
    }
    const isDebit = transaction.type === 'debit';
    const isFirst = isDebit && this.isFirst(transaction);
    const known = this.answerToKnown(transaction);
    if (known !== null) return { ...arrival, isFirst, answer: known };
    const fresh = { ...arrival, isFirst, isNew: true };
    // Its own void goes before the failure of the call (D4.10): where the first debit falls, one that does not say what it is
    // then is the first (D2.3). Any other failed debit is what it was as its turn came.
    if (failed?.position === position)
      return failed.answer === 9003 ? { ...failed, isFirst } : failed;
    const isBefore = failed !== undefined && falls <= position && position < failed.position;
    const isFalling = isBefore && this.state() !== 'voided'; // 9003 comes first (D4.10)
    if (isFalling) return { ...fresh, answer: 9004, fell: isDebit };
    const answer = this.answerToNew(delivery, transaction, isFirst, isWilling);
    return { ...fresh, answer, ...this.turnBy(delivery, transaction, answer) };
  }

  /** D5.1, D5.7. A void that was processed before is processed again, whatever came since (O8). */
  private answerToVoid(hash: string): Answer {
    if (untilVoidOf(this.log, hash) !== null) return 'ok';
    const type = recordOf(this.log, hash)?.transaction.type;
    return type === 'credit' || type === 'end' ? 19 : 'ok';
  }

  /**
   * D3.1, D3.2; null where nothing is known of the hash. Of an unanswered debit the outcome is
   * unknown until its void (D7), also where nobody wrote it.
   */
  private answerToKnown(transaction: Debit | Credit | End): Answer | null {
    const { hash, type } = transaction;
    const record = recordOf(this.log, hash);
    const unwritten = unwrittenOf(this.log, hash);
    const content = record?.transaction ?? unwritten?.unanswered;
    if (content === undefined) return null;
    const wasFirst = (record ?? unwritten)?.isFirst === true;
    if (!isSameContent(content, wasFirst, transaction)) return 37;
    if (this.state() === 'voided') return 9003;
    if (isUnanswered(this.log, hash)) return 'unknown';
    if (record === undefined) return 9003;
    const isVoided = untilVoidOf(this.log, hash) !== null;
    const wasMarked = isMarked(this.log, hash);
    if (type === 'debit' && isVoided && (record.answer === 'ok' || wasMarked)) return 9003;
    // A refused credit is taken back where it stranded or crashed the round (D5.3).
    const hadEffect = record.answer === 'ok' || record.turnedRound !== null;
    return hadEffect && isTakenBack(this.log, record) ? 9004 : record.answer;
  }

  /** Whether a debit has its refusal, other content or its void on record (P10, D3.1, D3.2, D5.5). */
  private failsByRecord(transaction: Transaction): boolean {
    if (transaction.type !== 'debit') return false;
    const known = this.answerToKnown(transaction);
    return known === null
      ? untilVoidOf(this.log, transaction.hash) !== null
      : typeof known === 'number';
  }

  /** D4.10, from "its own void came before" on. */
  private answerToNew(
    delivery: Delivery,
    transaction: Debit | Credit | End,
    isFirst: boolean,
    isWilling: boolean,
  ): Answer {
    const { type, hash } = transaction;
    const state = this.state();
    if (type === 'debit' && untilVoidOf(this.log, hash) !== null) return 9003;
    if (state === 'voided') return 9003;
    if (isFirst && acceptedFirstDebit(this.log) !== undefined) return 12;
    if (this.hasFailedDebit(delivery)) return 9004;
    if (state === 'none' && !isFirst) return 15;
    if (state === 'cancelled') return type === 'debit' || holdsDebit(delivery) ? 13 : 'unknown';
    if (type === 'end') return 'ok';
    if (state !== 'open' && state !== 'none') return 13;
    if (type === 'credit' && notedDebit(this.log) !== null) return 9004;
    return this.wallet(transaction, isWilling);
  }

  /** What the wallet itself says; of its account with the player only where it is asked for a debit. */
  private wallet(movement: Debit | Credit, isWilling: boolean): Answer {
    const { type, currency, amount } = movement;
    if (type === 'debit' && movement.discount > 0n) return 33;
    const roundCurrency = acceptedFirstDebit(this.log)?.transaction as Debit | undefined;
    if (roundCurrency !== undefined && roundCurrency.currency !== currency) return 9002;
    if (isWilling && type === 'debit') return 'ok';
    if (!this.brought.has(currency)) return 9002;
    if (type === 'credit') return 'ok';
    if (this.isBlocked) return 9006;
    // A free play takes nothing, also where the balance is below zero.
    return amount > 0n && this.balance(currency) < amount ? 9001 : 'ok';
  }

  /**
   * D4.5, D5.3: whether a debit of this delivery was not processed, or was voided before the next
   * debit of the delivery came: then all that follows is as if the void had come first.
   */
  private hasFailedDebit({ id }: Delivery): boolean {
    const debits = this.debitsOf(id);
    return debits.some(({ answer, transaction: { hash } }, index) => {
      const next = debits[index + 1];
      const until = next === undefined ? this.log : this.log.slice(0, this.log.indexOf(next));
      return answer !== 'ok' || untilVoidOf(until, hash) !== null;
    });
  }

  private debitsOf(id: string): Arrival[] {
    return arrivalsOf(this.log).filter(
      ({ delivery, transaction }) => delivery.id === id && transaction.type === 'debit',
    );
  }

  /** D4.7, D11.5: what a refused credit makes of an open round, or of a closed one. */
  private turnBy(
    delivery: Delivery,
    { type }: Transaction,
    answer: Answer,
  ): Pick<Arrival, 'turnedRound' | 'isOverRepair'> {
    const nothing = { turnedRound: null, isOverRepair: false };
    if (type !== 'credit' || typeof answer !== 'number') return nothing;
    const state = this.state();
    if ((state !== 'open' && state !== 'closed') || this.hasFailedDebit(delivery)) return nothing;
    const repaired = closedByRepair(this.log, this.gameRound);
    const isOverRepair = repaired !== null;
    if (repaired === 'stranded' || repaired === 'crashed') {
      return { turnedRound: repaired, isOverRepair };
    }
    const movements = effectiveMovements(this.log, this.gameRound);
    const isPaid = movements.some(({ transaction }) => transaction.type === 'credit');
    return { turnedRound: isPaid ? 'crashed' : 'stranded', isOverRepair };
  }

  /** D2.3 */
  private isFirst({ isFirstDebit }: Debit): boolean {
    return isFirstDebit ?? acceptedFirstDebit(this.log) === undefined;
  }
}
