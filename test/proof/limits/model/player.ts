import { maxUnits } from '../../../../lib/protocol/money/amount';
import {
  addPurses,
  type Purse,
  splitDebit,
  subtractPurses,
} from '../../../../lib/protocol/money/purse';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { Book, limitsOf } from './book';
import { unitsOf } from './counters';
import type { Money } from './entries';
import type { Reading } from './readings';

/** Why a debit of a call may, or must, be declined. */
export interface Cause {
  /** Which transaction of the call. */
  readonly index: number;
  readonly code: 'DEBITREFUSED' | 'LIMITREACHED' | 'BALANCETOOLOW';
  /** The sentences do not say: see {@link PlayedPlayer.exceeded}. */
  readonly isOptional: boolean;
}

/** A player by all that happened to it. */
export class PlayedPlayer {
  readonly book: Book;
  readonly accounts = new Map<string, Purse>();
  blocked: { readonly until: number | null } | null = null;

  /** @param isFromPast whether limits count what moved in their windows before them */
  constructor(isFromPast = false) {
    this.book = new Book(isFromPast);
  }

  /** Whether debits are refused, for a process with this time (D13.2). */
  isBlocked(now: number): boolean {
    return this.blocked !== null && (this.blocked.until === null || now < this.blocked.until);
  }

  /** The blocks and limits that a call of this moment goes against. */
  causes(transactions: readonly Transaction[], now: number, reading: Reading): readonly Cause[] {
    const { length } = this.book.entries;
    const kept = new Map(this.accounts);
    const causes: Cause[] = [];
    const add = (index: number, code: Cause['code'], isOptional = false): void => {
      if (causes.every((one) => one.code !== code)) causes.push({ index, code, isOptional });
    };
    for (const [index, one] of transactions.entries()) {
      if (one.type === 'credit') this.give(one.currency, one.amount, now);
      if (one.type !== 'debit') continue;
      if (this.isBlocked(now)) add(index, 'DEBITREFUSED');
      const purse = this.split(one.currency, one.amount);
      if (purse === null) {
        add(index, 'BALANCETOOLOW');
        break;
      }
      const over = this.exceeded('take', one.currency, purse, now, reading);
      if (over !== null) add(index, 'LIMITREACHED', over === 'perhaps');
      this.take(one.currency, purse, now);
    }
    this.book.cut(length);
    for (const [currency, purse] of kept) this.accounts.set(currency, purse);
    return causes;
  }

  /**
   * Whether a movement exceeds a limit of the player; perhaps, if it adds nothing to one that is exceeded already, or if
   * the window has begun for the other process alone.
   */
  exceeded(
    type: Money['type'],
    currency: string,
    purse: Purse,
    now: number,
    reading: Reading,
  ): 'surely' | 'perhaps' | null {
    let worst: 'perhaps' | null = null;
    for (const { group, window, most } of limitsOf(this.book.groups())) {
      const counts = type === 'deposit' ? group.kind === 'deposit' : group.kind !== 'deposit';
      if (!counts || group.currency !== currency) continue;
      const units = unitsOf(purse, group.counts);
      const used = this.book.used(group, window, now, reading);
      if (used.every((one) => one + units <= most)) continue;
      if (units > 0n && used.every((one) => one + units > most)) return 'surely';
      worst = 'perhaps';
    }
    return worst;
  }

  /** What a debit takes of each balance; null if they are too low. */
  split(currency: string, amount: bigint): Purse | null {
    return splitDebit(amount, this.has(currency), false);
  }

  take(currency: string, purse: Purse, at: number): Money {
    this.accounts.set(currency, subtractPurses(this.has(currency), purse));
    return this.moved({ type: 'take', currency, purse, at });
  }

  give(currency: string, amount: bigint, at: number): Money {
    const purse = { real: amount, bonus: 0n };
    this.accounts.set(currency, addPurses(this.has(currency), purse));
    return this.moved({ type: 'give', currency, purse, at });
  }

  deposit(currency: string, purse: Purse, at: number): Money {
    this.accounts.set(currency, addPurses(this.has(currency), purse));
    return this.moved({ type: 'deposit', currency, purse, at });
  }

  /** Takes back all of this, once. */
  back(of: readonly Money[], currency: string, at: number): void {
    for (const { type, purse } of of) {
      const add = type === 'take' ? addPurses : subtractPurses;
      this.accounts.set(currency, add(this.has(currency), purse));
    }
    this.book.add({ type: 'back', of, currency, at });
  }

  has(currency: string): Purse {
    const purse = this.accounts.get(currency);
    if (purse === undefined) throw new Error(`the player has no ${currency}`);
    return purse;
  }

  private moved(money: Money): Money {
    if (money.purse.real > maxUnits) throw new Error('no such amount');
    this.book.add(money);
    return money;
  }
}

/** The answers to a new call on an open round, if this debit of it is declined, or none is (D4.5, D4.6). */
export function answersOf(
  transactions: readonly Transaction[],
  failed: Pick<Cause, 'index' | 'code'> | null,
): string[] {
  const firstDebit = transactions.findIndex(({ type }) => type === 'debit');
  return transactions.map((_, index) => {
    if (failed === null || index < firstDebit) return 'processed';
    return index === failed.index ? failed.code : 'DEBITFAILEDBEFORE';
  });
}
