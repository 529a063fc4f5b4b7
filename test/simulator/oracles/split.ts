import type { RoundReport } from '../../../lib/operator/wallet';
import type { Plan } from '../plan/types';
import type { World } from '../world/scheduler';
import type { Purse } from './purse';
import { type BookedItem, stakeOf } from './booked-item';
import type { RoundBook } from './round-book';

/** Units of each balance. */
interface Parts {
  readonly real: number;
  readonly bonus: number;
}

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
    for (const item of book.standing) {
      if (item.type === 'end') continue;
      const parts = this.partsOf(book, item, report);
      if (parts === null) continue;
      this.checkSplit(book, item, parts, purse, report);
      this.move(purse, item.type === 'debit' ? -1 : 1, parts);
    }
    for (const [hash, amount] of book.standingRepairs) {
      const side = book.sides.find(({ purse: one }) => one.currency === book.currencyOf(hash));
      const parts = this.paidOf(book, hash, amount, report);
      if (side !== undefined) this.move(side.purse, 1, parts);
    }
  }

  private move(purse: Purse, sign: 1 | -1, { real, bonus }: Parts): void {
    const moved = this.moved.get(purse) ?? { real: 0, bonus: 0 };
    this.moved.set(purse, { real: moved.real + sign * real, bonus: moved.bonus + sign * bonus });
  }

  /** Compares the balances that the store or ledger has. */
  check(purse: Purse, real: bigint, bonus: bigint): void {
    const { start, cash } = purse;
    const moved = this.moved.get(purse) ?? { real: 0, bonus: 0 };
    const must = {
      real: start.real + cash.real + moved.real,
      bonus: start.bonus + cash.bonus + moved.bonus,
    };
    if (Number(real) === must.real && Number(bonus) === must.bonus) return;
    this.world.fail(
      'the split of a balance',
      `${purse.name} has ${real} real and ${bonus} bonus, and its rounds say ${must.real} and ${must.bonus}`,
    );
  }

  /** What the record of a transaction says that it moved; null where it has none, which O1 finds. */
  private partsOf(book: RoundBook, item: BookedItem, report: RoundReport | null): Parts | null {
    const record = report?.entries.get(item.hash)?.transaction;
    if (record === undefined || record.type === 'end') return null;
    const parts = { real: Number(record.purse.real), bonus: Number(record.purse.bonus) };
    const amount = item.type === 'debit' ? stakeOf(item) : item.amount;
    if (parts.real < 0 || parts.bonus < 0 || parts.real + parts.bonus !== amount) {
      this.fail(book, item.hash, `of ${amount} is noted as ${textOf(parts)}`);
    }
    return parts;
  }

  private checkSplit(
    book: RoundBook,
    item: BookedItem,
    parts: Parts,
    purse: Purse,
    report: RoundReport | null,
  ): void {
    if (item.type === 'credit') return this.checkCredit(book, item.hash, parts, report);
    if (item.taken === null) return;
    const { real, bonus } = parts;
    const { useBonusFirst } = this.policy;
    const [first, second] = useBonusFirst ? [bonus, real] : [real, bonus];
    // The other balance pays only what the first lacks; one below zero pays nothing.
    const isSplit = (ofReal: number, ofBonus: number): boolean => {
      const has = useBonusFirst ? ofBonus : ofReal;
      const other = useBonusFirst ? ofReal : ofBonus;
      return Math.min(Math.max(has, 0), first + second) === first && Math.max(other, 0) >= second;
    };
    if (purse.hadParts(item.taken, isSplit)) return;
    this.fail(book, item.hash, `took ${textOf(parts)} with ${purse.partsIn(item.taken)} there`);
  }

  /** Where the round has one debit, its shares are known; where it has several, those that never took anything of a balance. */
  private checkCredit(
    book: RoundBook,
    hash: string,
    parts: Parts,
    report: RoundReport | null,
  ): void {
    const shares = this.policy.creditTo === 'real' ? [] : this.sharesOf(book, report);
    const [only] = shares;
    if (shares.length > 1) {
      if (parts.bonus > 0 && shares.every(({ bonus }) => bonus === 0)) {
        this.fail(book, hash, `gave ${textOf(parts)}, and no debit took a bonus`);
      }
      return;
    }
    const whole = only === undefined ? 0 : only.real + only.bonus;
    const amount = parts.real + parts.bonus;
    // Numbers lose units of such a product.
    const bonus =
      whole === 0 ? 0 : Number((BigInt(amount) * BigInt(only?.bonus ?? 0)) / BigInt(whole));
    if (parts.bonus !== bonus) this.fail(book, hash, `gave ${textOf(parts)}, not ${bonus} bonus`);
  }

  /** What each debit of a round took that was ever noted. */
  private sharesOf(book: RoundBook, report: RoundReport | null): Parts[] {
    return book.debits.map(({ hash }) => {
      const purse = report?.entries.get(hash)?.transaction;
      if (purse?.type !== 'debit') return { real: 0, bonus: 0 };
      return { real: Number(purse.purse.real), bonus: Number(purse.purse.bonus) };
    });
  }

  private paidOf(book: RoundBook, hash: string, amount: number, report: RoundReport | null): Parts {
    const list = report?.head.repairs?.list ?? [];
    const repair = list.find((one) => {
      return one.kind === 'pay' && one.status === 'done' && one.hash === hash;
    });
    const { real = 0n, bonus = 0n } = repair?.purse ?? {};
    const parts = { real: Number(real), bonus: Number(bonus) };
    if (parts.real + parts.bonus !== amount || parts.bonus < 0 || parts.real < 0) {
      this.fail(book, hash, `a repair paid ${textOf(parts)} of ${amount}`);
    } else if (book.currencyOf(hash) === book.currency) {
      this.checkCredit(book, hash, parts, report);
    } else if (parts.bonus > 0) {
      this.fail(book, hash, `a repair in another currency paid ${textOf(parts)}`);
    }
    return parts;
  }

  private fail(book: RoundBook, hash: string, text: string): void {
    this.world.fail('the split of a transaction', `${book.id}: ${hash} ${text}`);
  }
}

function textOf({ real, bonus }: Parts): string {
  return `${real} real and ${bonus} bonus`;
}
