import type { RoundReport } from '../../../lib/operator/wallet';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { Answer } from '../../../lib/rgs/settlement/answer';
import { type FindingCode, findingRules } from '../../../lib/rgs/settlement/fate';
import {
  nextAttempt,
  type SentTransaction,
  settle,
  type Settlement,
  voidOf,
} from '../../../lib/rgs/settlement/settle';
import type { BookedItem } from '../oracles/booked-item';
import { type Kept, Keeping } from '../oracles/keeping';
import { hearLate, keptOf } from '../oracles/late-book';
import { RoundBook } from '../oracles/round-book';
import type { Purses } from '../oracles/purses';
import { currency as usual } from '../plan/names';
import type { Item, RoundPlan, Step, VoidOrder } from '../plan/types';
import { replyText, textOf, wordsOf } from './sent';
import type { Chance } from '../world/chance';
import type { World } from '../world/scheduler';

/** How the service reaches the wallet. */
export interface ServiceLines {
  /** Sends a call once; resolves to what the service hears of it, a time-out if nothing. */
  send(call: Call, chance: Chance, patienceMs: number): Promise<Answer>;
}

/** What is due, in its order: voids of debits, or credits and ends. */
type Due = { readonly voids: readonly BookedItem[] } | { readonly items: readonly BookedItem[] };

const patienceMs = 5000;
/** Milliseconds until the janitor comes by. */
const janitorMs = 30_000;
/** Everything that is due is done after fewer. */
const maxAttempts = 500;
/** A finding that the letter of the protocol makes possible without a mistake (W12). */
const legal: readonly FindingCode[] = ['refusedAfterDeclinedDebit'];
/** In a longer pause nothing of the round is in flight. */
const longPauseMs = 20 * 60_000;

/** One round as the service plays it: what each answer makes it do is the real table of lib/rgs/settlement. */
export class RoundPlay {
  readonly book: RoundBook;
  private readonly chance: Chance;
  private readonly due: Due[] = [];
  private readonly calls: (readonly BookedItem[])[] = [];
  /** The service plays no more of it: declined, voided, stranded, crashed. */
  private isOver = false;

  constructor(
    private readonly world: World,
    private readonly lines: ServiceLines,
    private readonly plan: RoundPlan,
    private readonly purses: Purses,
    retentionMs: number | null,
    private readonly read: (play: RoundPlay) => Promise<RoundReport | null>,
  ) {
    const keeping = new Keeping(world.clock, retentionMs);
    this.book = new RoundBook(world, plan.id, purses, plan.currency ?? usual, keeping);
    this.chance = world.chanceOf(plan.id);
  }

  get playerId(): string {
    return this.purses.playerId;
  }

  /** Plays all steps, and has everything delivered that is due. */
  async play(): Promise<void> {
    for (const side of this.book.sides) side.purse.begin(side);
    for (const step of this.plan.steps) {
      if (step.pauseMs < longPauseMs) await this.world.clock.pause(step.pauseMs);
      else await this.rest(step.pauseMs);
      await this.take(step);
    }
    await this.deliver();
    await this.remember();
    for (const side of this.book.sides) side.purse.end(side);
  }

  /** The service comes back to the round after so long that the store may have forgotten it. */
  private async rest(pauseMs: number): Promise<void> {
    await this.deliver();
    await this.remember();
    this.purses.leave();
    await this.world.clock.pause(pauseMs);
    this.purses.enter();
  }

  /** Keeps what the store has of the round: the answers are held against it also when it is forgotten. */
  private async remember(): Promise<void> {
    const { keeping } = this.book;
    if (keeping.ends && keptOf(this.book) === 'kept') keeping.report = await this.read(this);
  }

  /** Sends all calls again, in the end: each hash must have the verdict that it had (O8). */
  async sendAllAgain(): Promise<void> {
    for (const place of this.calls.keys()) await this.sendAgain(place, false);
  }

  private async take(step: Step): Promise<void> {
    // W5: nothing passes what is due of the round.
    await this.deliver();
    switch (step.do) {
      case 'call':
        if (this.isOver || this.book.hasEnded !== (step.afterEnd ?? false)) return;
        return keptOf(this.book) === 'kept' ? this.send(step) : undefined;
      case 'void': {
        const { hash, amount } = step;
        if (!this.mayVoid(hash)) return;
        const isFirst = hash === this.plan.id;
        const debit: Item = { type: 'debit', hash, amount, ...(isFirst ? { first: true } : {}) };
        const voids = this.book.enter([debit]);
        this.isOver ||= isFirst && voids.some(({ answer }) => answer !== null);
        this.due.push({ voids });
        return this.deliver();
      }
      case 'again':
        return this.sendAgain(step.call, step.other);
    }
  }

  private async send({
    items: planned,
    patienceMs: patience,
    voids,
  }: Extract<Step, { readonly do: 'call' }>): Promise<void> {
    // A round begins with its first debit; a history that was cut may have lost it.
    if (this.book.first === null && !planned.some(({ first }) => first === true)) return;
    const items = this.book.enter(planned);
    this.calls.push(items);
    const settlement = await this.submit(items, patience);
    if (settlement.toVoid.length > 0) this.due.push(...voidsInOrder(settlement.toVoid, voids));
    if (settlement.toResend.length > 0) this.due.push({ items: settlement.toResend });
    await this.deliver();
  }

  /** Sends what is due until nothing is: at once, then when the janitor comes by (W3, W4). */
  private async deliver(): Promise<void> {
    for (let failed = 0; ; ) {
      const [head] = this.due;
      if (head === undefined) return;
      const repeat = 'voids' in head ? await this.sendVoids(head.voids) : await this.resend(head);
      failed = repeat === null ? 0 : failed + 1;
      if (failed > maxAttempts) {
        this.world.fail('O9', `${this.plan.id}: ${maxAttempts} attempts, and it is still due`);
        return;
      }
      if (repeat !== null && nextAttempt(repeat, failed, false) !== 'atOnce') {
        await this.world.clock.pause(janitorMs);
      }
    }
  }

  private async sendVoids(
    debits: readonly BookedItem[],
  ): Promise<Settlement<SentTransaction>['repeat']> {
    const orders = debits.map(({ hash, transaction }) => {
      const amount = 'amount' in transaction ? transaction.amount : null;
      return voidOf({ hash, amount, currency: this.book.currencyOf(hash) });
    });
    for (const debit of debits) {
      debit.isVoidSent = true;
      debit.voidAt ??= this.book.keeping.now;
    }
    this.book.repairs.move();
    const answer = await this.exchange(orders, patienceMs);
    this.book.repairs.move(); // a person may have repaired the round since it was sent
    const settled = this.settle(orders, answer);
    for (const { transaction, fate } of settled.transactions) {
      const debit = debits.find(({ hash }) => hash === transaction.hash);
      if (debit === undefined || fate !== 'processed') continue;
      if (!debit.isVoided) this.book.keeping.knows(debit.voidAt);
      this.book.acceptVoid(debit);
    }
    this.due.shift();
    const left = debits.filter(({ isVoided }) => !isVoided);
    if (left.length > 0) this.due.unshift({ voids: left });
    return settled.repeat;
  }

  private async resend({
    items,
  }: Extract<Due, { readonly items: unknown }>): Promise<Settlement<SentTransaction>['repeat']> {
    const { toResend, repeat } = await this.submit(items, patienceMs);
    this.due.shift();
    if (toResend.length > 0) this.due.unshift({ items: toResend });
    return repeat;
  }

  /** Sends a call, and notes what came of it. */
  private async submit(
    items: readonly BookedItem[],
    patience: number,
  ): Promise<Settlement<BookedItem>> {
    this.book.sending(items);
    const answer = await this.exchange(transactionsOf(items), patience);
    const settlement = this.settle(items, answer);
    if (answer.kind === 'reply') this.book.receive(items, answer.body?.hashesProcessed ?? []);
    for (const { transaction: item, fate } of settlement.transactions) {
      if (fate === 'processed') item.counts = true;
    }
    const { round } = settlement;
    this.isOver ||= round !== null;
    if (round === 'stranded' || round === 'crashed') this.book.stuck ??= round;
    return settlement;
  }

  private settle<T extends SentTransaction>(
    transactions: readonly T[],
    answer: Answer,
  ): Settlement<T> {
    const { hasPaidCredit, hasDeclinedDebit } = this.book;
    const settlement = settle({ transactions, hasPaidCredit, hasDeclinedDebit }, answer);
    for (const { code, hash } of settlement.findings) {
      if (legal.includes(code)) continue;
      // A person took the round back, and the service does not know (D4.8).
      if (code === 'endRefused' && this.book.repairs.mayHaveVoided) continue;
      const hashes = transactions.map((one) => one.hash).join(' ');
      this.world.fail(findingRules[code], `${this.plan.id} [${hashes}]: ${code} ${hash ?? ''}`);
    }
    return settlement;
  }

  /** A call comes again, with the same content or another, and its answer is only compared. */
  private async sendAgain(place: number, other: boolean): Promise<void> {
    const items = this.calls[place];
    // What was never answered has no verdict to compare, and could be processed now.
    if (items === undefined || !items.every(({ answer }) => answer !== null)) return;
    const kept = keptOf(this.book);
    if (kept !== 'kept') return this.sendLate(items, kept);
    if (!other) return this.sendSame(items);
    // A free play has no amount, and an end neither (D2.4).
    const altered = items.flatMap(({ transaction: one }): Transaction[] => {
      const isPlain = (one.type === 'debit' || one.type === 'credit') && one.serial === null;
      return isPlain ? [{ ...one, amount: one.amount + 3n }] : [];
    });
    if (altered.length === 0) return;
    const answer = await this.exchange(altered, patienceMs);
    if (answer.kind === 'reply') this.book.receiveOther(items, answer.body?.hashesProcessed ?? []);
  }

  /** A hash that was forgotten is new again: by D10 the service does not send a debit for so long. */
  private async sendLate(items: readonly BookedItem[], kept: Kept): Promise<void> {
    if (items.some(({ type }) => type === 'debit')) return;
    const answer = await this.exchange(transactionsOf(items), patienceMs);
    if (answer.kind !== 'reply') return;
    hearLate(this.world, this.book, kept, items, answer.body?.hashesProcessed ?? []);
  }

  /** Whether the service still takes this debit back: what was taken back before it may take back for ever (D5.1). */
  private mayVoid(hash: string): boolean {
    const kept = keptOf(this.book);
    if (kept === 'kept') return true;
    const isAgain = this.book.debits.some((debit) => debit.hash === hash && debit.isVoided);
    if (isAgain) this.world.count(`retention: a void sent again, the round ${kept}`);
    return isAgain;
  }

  private async sendSame(items: readonly BookedItem[]): Promise<void> {
    this.book.sending(items);
    const answer = await this.exchange(transactionsOf(items), patienceMs);
    if (answer.kind !== 'reply') return;
    this.book.receive(items, answer.body?.hashesProcessed ?? []);
  }

  private async exchange(transactions: readonly Transaction[], patience: number): Promise<Answer> {
    const { plan, playerId, world } = this;
    const call: Call = {
      playerId,
      gameCode: 'bells',
      gameRound: plan.id,
      transactions,
    };
    this.book.keeping.move();
    const answer = await this.lines.send(call, this.chance, patience);
    this.book.keeping.move();
    world.tell(wordsOf(plan.id, transactions, answer), () => {
      return `${plan.id} ${textOf(transactions)}: ${replyText(answer)}`;
    });
    return answer;
  }
}

function transactionsOf(items: readonly BookedItem[]): Transaction[] {
  return items.map(({ transaction }) => transaction);
}

function voidsInOrder(debits: readonly BookedItem[], order: VoidOrder): Due[] {
  if (order === 'together') return [{ voids: debits }];
  const list = order === 'apart' ? debits : debits.toReversed();
  return list.map((debit) => ({ voids: [debit] }));
}
