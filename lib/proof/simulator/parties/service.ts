import type { Call, Transaction } from '../../../protocol/operator-api';
import {
  type Answer,
  type FindingCode,
  findingRules,
  nextAttempt,
  type SentTransaction,
  type Settlement,
  settle,
  voidOf,
} from '../../../rgs/settlement';
import type { BookedItem } from '../oracles/booked-item';
import { RoundBook } from '../oracles/round-book';
import type { Purse } from '../oracles/purse';
import { currency } from '../plan/names';
import type { Item, RoundPlan, Step, VoidOrder } from '../plan/types';
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
const mostAttempts = 500;
/** A finding that the letter of the protocol makes possible without a mistake (W12). */
const legal: readonly FindingCode[] = ['refusedAfterDeclinedDebit'];

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
    private readonly purse: Purse,
  ) {
    this.book = new RoundBook(world, plan.id, purse);
    this.chance = world.chanceOf(plan.id);
  }

  get playerId(): string {
    return this.purse.playerId;
  }

  /** Plays all steps, and has everything delivered that is due. */
  async play(): Promise<void> {
    this.purse.begin(this.book);
    for (const step of this.plan.steps) {
      await this.world.clock.pause(step.pauseMs);
      await this.take(step);
    }
    await this.deliver();
    this.purse.end(this.book);
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
        return this.isOver || this.book.hasEnded ? undefined : this.send(step);
      case 'void': {
        const { hash, amount } = step;
        const isFirst = hash === this.plan.id;
        const debit: Item = { type: 'debit', hash, amount, ...(isFirst ? { first: true } : {}) };
        const voids = this.book.enter([debit]);
        this.isOver ||= isFirst && voids.some(({ outcome: verdict }) => verdict !== null);
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
    if (!this.book.hasFirst && !planned.some(({ first }) => first === true)) return;
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
      if (failed > mostAttempts) {
        this.world.fail('O9', `${this.plan.id}: ${mostAttempts} attempts, and it is still due`);
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
    const orders = debits.map(({ hash, amount }) => voidOf({ hash, amount, currency }));
    for (const debit of debits) debit.voidSent = true;
    this.book.repairs.move();
    const answer = await this.exchange(orders.map(toVoid), patienceMs);
    this.book.repairs.move(); // a person may have repaired the round since it was sent
    const settled = this.settle(orders, answer);
    for (const { transaction, fate } of settled.transactions) {
      const debit = debits.find(({ hash }) => hash === transaction.hash);
      if (debit !== undefined && fate === 'processed') debit.voided = true;
    }
    this.due.shift();
    const left = debits.filter(({ voided }) => !voided);
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
    const answer = await this.exchange(items.map(toTransaction), patience);
    const settlement = this.settle(items, answer);
    if (answer.kind === 'reply') this.book.hear(items, answer.body?.hashesProcessed ?? []);
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
    if (items === undefined || !items.every(({ outcome }) => outcome !== null)) return;
    if (!other) return this.sendSame(items);
    // A free play has no amount, and an end neither (D2.4).
    const changed = items.filter(({ type, serial }) => type !== 'end' && serial === undefined);
    if (changed.length === 0) return;
    const altered = changed.map((item) => ({
      ...toTransaction(item),
      amount: BigInt(item.amount + 3),
    }));
    const answer = await this.exchange(altered, patienceMs);
    if (answer.kind === 'reply') this.book.hearOther(items, answer.body?.hashesProcessed ?? []);
  }

  private async sendSame(items: readonly BookedItem[]): Promise<void> {
    const gone = items.filter((item) => this.book.isGone(item));
    const answer = await this.exchange(items.map(toTransaction), patienceMs);
    if (answer.kind !== 'reply') return;
    const listed = answer.body?.hashesProcessed ?? [];
    this.book.hear(items, listed);
    this.book.hearGone(gone, listed);
  }

  private async exchange(transactions: readonly Transaction[], patience: number): Promise<Answer> {
    const { plan, purse, world } = this;
    const call: Call = {
      playerId: purse.playerId,
      gameCode: 'bells',
      gameRound: plan.id,
      transactions,
    };
    const answer = await this.lines.send(call, this.chance, patience);
    world.tell(wordsOf(plan.id, transactions, answer), () => {
      return `${plan.id} ${textOf(transactions)}: ${replyText(answer)}`;
    });
    return answer;
  }
}

function voidsInOrder(debits: readonly BookedItem[], order: VoidOrder): Due[] {
  if (order === 'together') return [{ voids: debits }];
  const list = order === 'apart' ? debits : debits.toReversed();
  return list.map((debit) => ({ voids: [debit] }));
}

function toTransaction(item: Item): Transaction {
  const { type, hash, amount: units, first, serial: play, discount: less = 0 } = item;
  const [amount, serial, discount] = [BigInt(units), play ?? null, BigInt(less)];
  switch (type) {
    case 'debit':
      return { type, hash, currency, amount, discount, isFirstDebit: first === true, serial };
    case 'credit':
      return { type, hash, currency, amount, serial };
    case 'end':
      return { type, hash };
  }
}

function toVoid({ hash, amount }: { readonly hash: string; readonly amount: number }): Transaction {
  return { type: 'void', hash, amount: BigInt(amount), currency };
}

/** What the trace is a hash of: what was sent, and what was answered. */
function wordsOf(
  round: string,
  transactions: readonly Transaction[],
  answer: Answer,
): (string | number)[] {
  const words: (string | number)[] = [round];
  for (const one of transactions) {
    words.push(one.type, one.hash, 'amount' in one ? Number(one.amount) : -1);
  }
  if (answer.kind !== 'reply') {
    words.push(answer.kind);
    return words;
  }
  words.push(answer.status);
  for (const { error } of answer.body?.hashesProcessed ?? []) words.push(error?.id ?? 0);
  return words;
}

function textOf(transactions: readonly Transaction[]): string {
  const texts = transactions.map((one) => {
    return `${one.type} ${one.hash}${'amount' in one ? ` ${one.amount}` : ''}`;
  });
  return `[${texts.join(', ')}]`;
}

function replyText(answer: Answer): string {
  if (answer.kind !== 'reply') return answer.kind;
  const listed = answer.body?.hashesProcessed ?? [];
  return `${answer.status} ${listed.map(({ error }) => error?.id ?? 'ok').join(' ')}`;
}
