import type { Clock } from '../../../lib/platform';
import {
  type Finding,
  type SentTransaction,
  settle,
  type Settlement,
  voidOf,
} from '../../../lib/rgs/settlement/settle';
import { type FindingCode, findingRules } from '../../../lib/rgs/settlement/fate';
import { answerOf, type ServiceReply } from './call';

/** A transaction of a scenario; amounts in whole EUR. */
export interface Item {
  readonly type: 'debit' | 'credit' | 'end';
  readonly hash: string;
  readonly amount?: number;
  readonly isFirstDebit?: boolean;
  /** Of a free play. */
  readonly serial?: string;
}

/** What the RGS has in its book of a transaction. */
export interface BookedItem extends Item {
  /** `processed`, or `refused` and the error id; null until a definite answer. */
  told: string | null;
  isVoided: boolean;
  /** The debit before it in the call in which it was first sent; null for a debit, or where none is. */
  readonly behind: BookedItem | null;
}

/** How the RGS reaches the wallet. */
export interface WalletAccess {
  /** What the pauses of the RGS go by. */
  readonly clock: Clock;
  /** Sends a call; resolves to every reply to it: more than one where it came twice. */
  send(transactions: readonly WireItem[]): Promise<readonly ServiceReply[]>;
  /** What had to follow of a call has been done. */
  recovered(): void;
}

/** A transaction as it is sent. */
export type WireItem = { readonly [key: string]: string | number | boolean };

const voidedVerdict = 'refused 9003';
const droppedVerdict = 'refused 9004';
/** Long enough for a breaker that has opened to close again. */
const maxTries = 40;
const pauseMs = 300;

/** The RGS at play: does what the table makes of each answer, and judges the answers themselves. */
export class ProtocolRgs {
  /** In the order in which they were first sent. */
  readonly book = new Map<string, BookedItem>();
  /** The calls that were sent, each once. */
  readonly calls: (readonly Item[])[] = [];
  /** What the wallet answered against the protocol. */
  readonly violations: string[] = [];

  constructor(private readonly wallet: WalletAccess) {}

  /** Whether the initial debit was voided, and the round with it. */
  get isVoided(): boolean {
    return [...this.book.values()].some((item) => item.isFirstDebit === true && item.isVoided);
  }

  /**
   * Sends a call and does what the answer makes the RGS do: voids each debit in doubt, then sends
   * again what is due. Resolves to whether every debit stands.
   */
  async play(...items: Item[]): Promise<boolean> {
    const booked = this.enter(items);
    const { toVoid, toResend } = await this.submit(booked);
    for (const item of toVoid) await this.voidUntilDone(item);
    if (toResend.length > 0) await this.sendUntilSettled(toResend);
    this.wallet.recovered();
    const debits = booked.filter(isDebit);
    return debits.every(({ told, isVoided }) => told === 'processed' && !isVoided);
  }

  /** Sends a call without a debit until nothing of it is due. */
  async pay(...items: Item[]): Promise<void> {
    await this.sendUntilSettled(this.enter(items));
    this.wallet.recovered();
  }

  /** A void is sent until it is acknowledged; of a debit that was never sent it comes early. */
  async cancel(item: Item): Promise<void> {
    const [booked] = this.enter([item]) as [BookedItem];
    await this.voidUntilDone(booked);
    this.wallet.recovered();
  }

  /** Sends everything again; each hash must have the verdict that it had, if it had one (O8). */
  async sendAllAgain(): Promise<void> {
    for (const call of this.calls) {
      const booked = this.enter(call);
      for (const reply of await this.send(booked, booked.some(isDebit))) {
        if (reply.kind === 'answered') this.note(booked, reply);
        const open = booked.find(({ told }) => told === null);
        if (open !== undefined) this.violations.push(`${open.hash} is never told (O9)`);
      }
    }
  }

  private enter(items: readonly Item[]): BookedItem[] {
    if (!this.calls.includes(items)) this.calls.push(items);
    let before: BookedItem | null = null;
    return items.map((item) => {
      const behind: BookedItem | null = isDebit(item) ? null : before;
      const booked = this.book.get(item.hash) ?? { ...item, told: null, isVoided: false, behind };
      this.book.set(item.hash, booked);
      if (isDebit(item)) before = booked;
      return booked;
    });
  }

  private async voidUntilDone(item: BookedItem): Promise<void> {
    const { hash, amount = 0 } = item;
    const order = voidOf({ hash, amount, currency: 'EUR' });
    for (let tries = 0; tries < maxTries; tries++) {
      const replies = await this.wallet.send([{ ...order, type: 'VOID' }]);
      item.isVoided ||= this.settle([order], replies).toResend.length === 0;
      if (item.isVoided) return;
      await this.wallet.clock.pause(pauseMs);
    }
    this.violations.push(`void of ${hash} is never done`);
  }

  private async sendUntilSettled(items: readonly BookedItem[]): Promise<void> {
    let due = items;
    for (let tries = 0; tries < maxTries; tries++) {
      due = (await this.submit(due)).toResend;
      if (due.length === 0) return;
      await this.wallet.clock.pause(pauseMs);
    }
    this.violations.push(`${due.map(({ hash }) => hash).join('+')} is never definite (O9)`);
  }

  private async submit(items: readonly BookedItem[]): Promise<Settlement<BookedItem>> {
    const replies = await this.send(items, items.some(isDebit));
    const settlement = this.settle(items, replies);
    for (const reply of replies) if (reply.kind === 'answered') this.note(items, reply);
    return settlement;
  }

  /** Of several replies to one call a silent one decides on debits, else the one that leaves least due. */
  private settle<T extends SentTransaction>(
    transactions: readonly T[],
    replies: readonly ServiceReply[],
  ): Settlement<T> {
    const { hasPaidCredit } = this;
    const settlements = replies.map((reply) => {
      return settle({ transactions, hasPaidCredit }, answerOf(reply));
    });
    this.violations.push(...settlements.flatMap(({ findings }) => findings.flatMap(violationOf)));
    const [least] = settlements.toSorted((one, other) => {
      return other.toVoid.length - one.toVoid.length || one.toResend.length - other.toResend.length;
    });
    if (least === undefined) throw new Error('a call without a reply');
    return least;
  }

  private get hasPaidCredit(): boolean {
    return [...this.book.values()].some((item) => {
      return item.type === 'credit' && item.told === 'processed' && !isDropped(item);
    });
  }

  private async send(
    items: readonly BookedItem[],
    hasDebit: boolean,
  ): Promise<readonly ServiceReply[]> {
    const replies = await this.wallet.send(items.map(wireOf));
    for (const reply of replies) if (reply.kind === 'answered') this.check(items, reply, hasDebit);
    return replies;
  }

  /** D7 and O7; the table itself finds what O6 forbids. */
  private check(
    items: readonly BookedItem[],
    { status, body }: Extract<ServiceReply, { kind: 'answered' }>,
    hasDebit: boolean,
  ): void {
    const outcomes = body.hashesProcessed ?? [];
    const isComplete = outcomes.length === items.length;
    const isWhole = isComplete && outcomes.every(({ errorCode }) => errorCode === undefined);
    const names = items.map(({ hash }) => hash).join('+');
    if (isWhole !== (status === 200)) this.violations.push(`${names}: ${status} (O7)`);
    if (hasDebit && status < 500 && !isComplete) {
      this.violations.push(`${names}: ${status}, and outcomes are missing (D7)`);
    }
    const isInOrder = outcomes.every(({ hash }, index) => hash === items[index]?.hash);
    if (!isInOrder) this.violations.push(`${names}: the outcomes are out of order (D6.1)`);
  }

  private note(
    items: readonly BookedItem[],
    { body }: Extract<ServiceReply, { kind: 'answered' }>,
  ): void {
    for (const { hash, errorCode } of body.hashesProcessed ?? []) {
      const item = items.find((candidate) => candidate.hash === hash);
      if (item === undefined) continue;
      const told = errorCode === undefined ? 'processed' : `refused ${errorCode.id}`;
      const must = this.verdictOf(item);
      if (must !== null && must !== told) {
        this.violations.push(`${hash}: ${item.told ?? 'not told'}, and now ${told} (O8)`);
      }
      if (must === null && isDropped(item) && told === 'processed') {
        this.violations.push(`${hash} was dropped, and now ${told} (D5.3)`);
      }
      item.told ??= told;
    }
  }

  /** The verdict that a transaction must have now: the one it had, but for a void since (D3.1, D5.3). */
  private verdictOf(item: BookedItem): string | null {
    if (this.isVoided) return voidedVerdict;
    if (item.told !== 'processed') return item.told;
    if (item.isVoided) return voidedVerdict;
    return isDropped(item) ? droppedVerdict : item.told;
  }
}

/** Whether the debit before it was voided: its win was never played (D5.3). */
export function isDropped({ behind }: BookedItem): boolean {
  return behind?.isVoided === true;
}

/** An end that is refused moves nothing: it is for a person to know, and no fault of the wallet (W4). */
function violationOf({ code, hash }: Finding): string[] {
  const legal: readonly FindingCode[] = ['endRefused'];
  return legal.includes(code) ? [] : [`${hash ?? 'a call'}: ${code} (${findingRules[code]})`];
}

function isDebit({ type }: Item): boolean {
  return type === 'debit';
}

function wireOf({ type, hash, amount, isFirstDebit, serial }: Item): WireItem {
  if (type === 'end') return { type, hash };
  const money = { type, hash, amount: amount ?? 0, currency: 'EUR' };
  if (type === 'credit') return money;
  const free = serial === undefined ? {} : { serial, freePlayUsed: true };
  return { ...money, isFirstDebit: isFirstDebit ?? false, ...free };
}
