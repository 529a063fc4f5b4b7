import { systemClock } from '../../lib/platform';
import type { ServiceReply } from './service-call';

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
  /** `processed`, or `refused` and the error id; null as long as nothing definite was told. */
  told: string | null;
  isVoided: boolean;
  /** The debit before it in the call in which it was first sent; null for a debit, or where none is. */
  readonly behind: BookedItem | null;
}

/** How the RGS reaches the wallet. */
export interface WalletAccess {
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

/** The RGS as far as the protocol binds it: what it does after each kind of answer (D7). */
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
   * A call with a debit is sent once. Where the answer is 5xx or lost, each debit is voided, and what
   * stands behind it is dropped (operator-api 4.1). What stands before the first debit is of an
   * earlier play: it stays due. Resolves to whether every debit stands.
   */
  async play(...items: Item[]): Promise<boolean> {
    const booked = this.enter(items);
    const replies = await this.send(booked, true);
    for (const reply of replies) if (reply.kind === 'answered') this.note(booked, reply);
    if (replies.some((reply) => reply.kind === 'lost' || reply.status >= 500)) {
      for (const item of booked) if (item.type === 'debit') await this.voidUntilDone(item);
      const due = booked.slice(0, booked.findIndex(isDebit)).filter(({ told }) => told === null);
      if (!this.isVoided && due.length > 0) await this.sendUntilDefinite(due);
    }
    this.wallet.recovered();
    const debits = booked.filter(({ type }) => type === 'debit');
    return debits.every(({ told, isVoided }) => told === 'processed' && !isVoided);
  }

  /** A call without a debit is sent until each of its hashes has an outcome. */
  async pay(...items: Item[]): Promise<void> {
    await this.sendUntilDefinite(this.enter(items));
    this.wallet.recovered();
  }

  /** A void is sent until it is answered 200; of a debit that was never sent it comes early. */
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
    const order = { type: 'VOID', hash, amount, currency: 'EUR' };
    for (let tries = 0; tries < maxTries; tries++) {
      const replies = await this.wallet.send([order]);
      for (const reply of replies) {
        if (reply.kind === 'lost') continue;
        if (reply.status === 200) item.isVoided = true;
        else if (reply.status < 500) this.violations.push(`void of ${hash}: ${reply.status}`);
      }
      if (item.isVoided) return;
      await systemClock.pause(pauseMs);
    }
    this.violations.push(`void of ${hash} is never done`);
  }

  private async sendUntilDefinite(items: readonly BookedItem[]): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      for (const reply of await this.send(items, false)) {
        if (reply.kind === 'answered') this.note(items, reply);
      }
      if (items.every(({ told }) => told !== null)) return;
      await systemClock.pause(pauseMs);
    }
    this.violations.push(`${items.map(({ hash }) => hash).join('+')} is never definite (O9)`);
  }

  private async send(
    items: readonly BookedItem[],
    hasDebit: boolean,
  ): Promise<readonly ServiceReply[]> {
    const replies = await this.wallet.send(items.map(wireOf));
    for (const reply of replies) if (reply.kind === 'answered') this.check(items, reply, hasDebit);
    return replies;
  }

  /** D7, O6 and O7. */
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
    if (!hasDebit && status >= 500 && items.some(({ type }) => type === 'credit')) {
      this.violations.push(`${names}: a credit got ${status} (O6)`);
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

/** Whether the debit that it stands behind was voided: its win was never played (D5.3). */
export function isDropped({ behind }: BookedItem): boolean {
  return behind?.isVoided === true;
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
