import type { Credit, Debit, End, Transaction } from '../../../lib/protocol/operator-api';
import {
  acceptedFirstDebit,
  type Answer,
  type Arrival,
  arrivalsOf,
  type Delivery,
  effectiveMovements,
  isDeclinedByWallet,
  isMarked,
  isTakenBack,
  isUnanswered,
  type Log,
  notedDebit,
  recordOf,
  type State,
  stateWithoutMarks,
  untilVoidOf,
  unwrittenOf,
  wasAnsweredAgain,
} from './reference-log';
import { closedByRepair, paidByRepairs, standingOf, stateOf } from './reference-repairs';

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
    for (const [currency, units] of other.brought) this.brought.set(currency, units);
  }

  /** A call arrives; resolves to what is to be answered of each transaction (D6.1). */
  deliver(
    delivery: Delivery,
    { from = 0, commits = Number.POSITIVE_INFINITY }: Fate = {},
  ): Answer[] {
    const answers: Answer[] = [];
    for (const [position, transaction] of delivery.transactions.entries()) {
      if (position < from) continue;
      if (position >= commits) return answers;
      const arrival = this.decide(delivery, position, transaction);
      answers.push(arrival.answer);
      if (arrival.answer === 'unknown') break;
      this.log.push(arrival);
    }
    return answers;
  }

  /**
   * A delivery that was answered 5xx marks what it wrote itself, and what nobody wrote (D7). A debit that
   * another delivery of the call was answered for since is not its own any more: the RGS may have that answer.
   */
  mark(delivery: Delivery): void {
    const before = [...this.log];
    for (const transaction of delivery.transactions) {
      const { hash, type } = transaction;
      if (type !== 'debit' || untilVoidOf(before, hash) !== null) continue;
      if (isUnanswered(before, hash)) continue; // it is marked
      const record = recordOf(before, hash);
      const isFirst = record?.isFirst ?? this.isFirst(transaction);
      const waits =
        record === undefined
          ? this.mayStillCome(isFirst, before)
          : record.delivery.id === delivery.id &&
            !wasAnsweredAgain(before, record) &&
            this.showsInRound(record, before);
      if (waits) this.log.push({ unanswered: transaction, isUnwritten: !record, isFirst });
    }
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

  private decide(delivery: Delivery, position: number, transaction: Transaction): Arrival {
    const isFirst = transaction.type === 'debit' && this.isFirst(transaction);
    const arrival = { delivery, position, transaction, isFirst, turnedRound: null };
    if (transaction.type === 'void') {
      return { ...arrival, isNew: false, answer: this.answerToVoid(transaction.hash) };
    }
    const known = this.answerToKnown(transaction);
    if (known !== null) return { ...arrival, isNew: false, answer: known };
    const answer = this.answerToNew(delivery, transaction, isFirst);
    const turnedRound = this.turnBy(delivery, transaction, answer);
    return { ...arrival, isNew: true, answer, turnedRound };
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

  /** D4.10, from "its own void came before" on. */
  private answerToNew(
    delivery: Delivery,
    transaction: Debit | Credit | End,
    isFirst: boolean,
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
    return this.wallet(transaction);
  }

  /** What the wallet itself says. */
  private wallet(movement: Debit | Credit): Answer {
    const { type, currency, amount } = movement;
    if (type === 'debit' && movement.discount > 0n) return 33;
    const roundCurrency = acceptedFirstDebit(this.log)?.transaction as Debit | undefined;
    if (roundCurrency !== undefined && roundCurrency.currency !== currency) return 9002;
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
    const debits = arrivalsOf(this.log).filter(
      ({ delivery, transaction }) => delivery.id === id && transaction.type === 'debit',
    );
    return debits.some(({ answer, transaction: { hash } }, index) => {
      const next = debits[index + 1];
      const until = next === undefined ? this.log : this.log.slice(0, this.log.indexOf(next));
      return answer !== 'ok' || untilVoidOf(until, hash) !== null;
    });
  }

  /** D4.7, D11.5 */
  private turnBy(
    delivery: Delivery,
    { type }: Transaction,
    answer: Answer,
  ): 'stranded' | 'crashed' | null {
    if (type !== 'credit' || typeof answer !== 'number') return null;
    const closed = closedByRepair(this.log, this.gameRound);
    if ((this.state() !== 'open' && closed === null) || this.hasFailedDebit(delivery)) return null;
    if (closed === 'stranded' || closed === 'crashed') return closed;
    const movements = effectiveMovements(this.log, this.gameRound);
    return movements.some(({ transaction }) => transaction.type === 'credit')
      ? 'crashed'
      : 'stranded';
  }

  /** Whether a debit that nobody wrote would be processed, were it to come now (D7). */
  private mayStillCome(isFirst: boolean, log: Log): boolean {
    return isFirst
      ? stateOf(log, this.gameRound) === 'none'
      : stateWithoutMarks(log, this.gameRound) === 'open' &&
          standingOf(log, this.gameRound) === null;
  }

  /** Whether something of the round depends on this debit: its money, a note or a closed round (D7). */
  private showsInRound(record: Arrival, log: Log): boolean {
    if (record.transaction.type !== 'debit') return false;
    if (record.answer === 'ok') return true;
    if (!isDeclinedByWallet(record)) return false;
    const closed = record.isFirst && acceptedFirstDebit(log) === undefined;
    return closed || notedDebit(log) === record.transaction.hash;
  }

  /** D2.3 */
  private isFirst({ isFirstDebit }: Debit): boolean {
    return isFirstDebit ?? acceptedFirstDebit(this.log) === undefined;
  }
}

function holdsDebit({ transactions }: Delivery): boolean {
  return transactions.some(({ type }) => type === 'debit');
}

/** D3.2. An isFirstDebit that was not sent is not other content: what stood for it counts. */
function isSameContent(known: Transaction, wasFirst: boolean, sent: Debit | Credit | End): boolean {
  if (sent.type === 'end' || known.type === 'end') return known.type === sent.type;
  if (known.type !== sent.type || known.amount !== sent.amount) return false;
  if (known.currency !== sent.currency || known.serial !== sent.serial) return false;
  if (sent.type === 'debit' && known.type === 'debit' && known.discount !== sent.discount)
    return false;
  return sent.type !== 'debit' || (sent.isFirstDebit ?? wasFirst) === wasFirst;
}
