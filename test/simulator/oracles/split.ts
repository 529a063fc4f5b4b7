import type { HashEntry } from '../../../lib/operator/gameround';
import type { RoundReport } from '../../../lib/operator/wallet';
import { BrokenRule } from '../../../lib/proof/oracle/broken-rule';
import { checkCredit, paymentOf, splitRule } from '../../../lib/proof/oracle/payments';
import { checkRecord, isWhole } from '../../../lib/proof/oracle/records';
import {
  addPurses,
  emptyPurse,
  type Purse as Parts,
  subtractPurses,
} from '../../../lib/protocol/money/purse';
import type { Plan } from '../plan/types';
import type { World } from '../world/scheduler';
import type { BookedItem } from './booked-item';
import type { Purse } from './purse';
import type { RoundBook } from './round-book';

type Entries = ReadonlyMap<string, HashEntry>;

/**
 * What must hold of both balances by themselves, once nothing is due any more: those of a player are the
 * start, the cash, which is real, and what the records say of each transaction that stands by the answers.
 * The amount of each record is that of its transaction, and its split is one that the policy allows.
 */
export class Splits {
  /** What the rounds of each player have added. */
  private readonly moved = new Map<Purse, Parts>();

  constructor(
    private readonly world: World,
    private readonly policy: Plan['policy'],
  ) {}

  /** Adds a round, as the store has it. */
  add(book: RoundBook, report: RoundReport | null): void {
    const { purse } = book;
    const entries: Entries = report?.entries ?? new Map();
    for (const item of book.standing) {
      const record = entries.get(item.hash)?.transaction;
      // O1 finds what has no record.
      if (record === undefined || record.type === 'end') continue;
      checkRecord(book.id, item.transaction, 'processed', entries.get(item.hash));
      const { purse: parts } = record;
      if (item.type === 'credit') checkCredit(nameOf(book, item.hash), parts, entries, this.policy);
      else this.checkDebit(book, item, parts);
      this.move(purse, item.type === 'debit' ? subtractPurses(emptyPurse, parts) : parts);
    }
    for (const [hash, amount] of book.standingRepairs) {
      const side = book.sides.find(({ purse: one }) => one.currency === book.currencyOf(hash));
      const parts = this.paidOf(book, hash, amount, report);
      if (side !== undefined) this.move(side.purse, parts);
    }
  }

  private move(purse: Purse, parts: Parts): void {
    this.moved.set(purse, addPurses(this.moved.get(purse) ?? emptyPurse, parts));
  }

  /** Compares the balances that the store or ledger has. */
  check(purse: Purse, real: bigint, bonus: bigint): void {
    const { start, cash } = purse;
    const moved = this.moved.get(purse) ?? emptyPurse;
    const must = {
      real: BigInt(start.real + cash.real) + moved.real,
      bonus: BigInt(start.bonus + cash.bonus) + moved.bonus,
    };
    if (real === must.real && bonus === must.bonus) return;
    this.world.fail(
      'the split of a balance',
      `${purse.name} has ${textOf({ real, bonus })}, and its rounds say ${textOf(must)}`,
    );
  }

  /** A debit that moved first in its call was paid from balances that the player had meanwhile. */
  private checkDebit({ id, purse }: RoundBook, { hash, units, taken }: BookedItem, parts: Parts) {
    if (taken === null) return;
    const isPayment = (real: number, bonus: number): boolean => {
      const has = { real: BigInt(real), bonus: BigInt(bonus) };
      const payment = paymentOf(has, units, this.policy.useBonusFirst);
      return payment?.real === parts.real && payment.bonus === parts.bonus;
    };
    if (purse.hadParts(taken, isPayment)) return;
    const had = purse.partsIn(taken);
    throw new BrokenRule(splitRule, `${id}: ${hash} took ${textOf(parts)} with ${had} there`);
  }

  private paidOf(book: RoundBook, hash: string, amount: number, report: RoundReport | null): Parts {
    const list = report?.head.repairs?.list ?? [];
    const repair = list.find((one) => {
      return one.kind === 'pay' && one.status === 'done' && one.hash === hash;
    });
    const parts = repair?.purse ?? emptyPurse;
    const name = nameOf(book, hash);
    if (!isWhole(parts, BigInt(amount))) {
      throw new BrokenRule(splitRule, `${name}: a repair paid ${textOf(parts)} of ${amount}`);
    }
    if (book.currencyOf(hash) === book.currency) {
      checkCredit(name, parts, report?.entries ?? new Map(), this.policy);
    } else if (parts.bonus > 0n) {
      throw new BrokenRule(splitRule, `${name}: paid ${textOf(parts)} in another currency`);
    }
    return parts;
  }
}

function nameOf({ id }: RoundBook, hash: string): string {
  return `${id}: ${hash}`;
}

function textOf({ real, bonus }: Parts): string {
  return `${real} real and ${bonus} bonus`;
}
