import type { HashEntry, MoneyPolicy } from '../../operator/gameround';
import type { Purse } from '../../protocol/money/purse';
import { demand, toText } from './broken-rule';

/**
 * How a debit is paid, written a second time on purpose: a mistake of `splitDebit`, which the memory store
 * itself uses, would go unseen if the oracle asked it too.
 */
export function paymentOf(has: Purse, amount: bigint, bonusFirst: boolean): Purse | null {
  const [real, bonus] = [has.real, has.bonus].map((units) => (units > 0n ? units : 0n));
  if (real === undefined || bonus === undefined || real + bonus < amount) return null;
  const first = bonusFirst ? bonus : real;
  const paidFirst = amount < first ? amount : first;
  const paidSecond = amount - paidFirst;
  return bonusFirst
    ? { real: paidSecond, bonus: paidFirst }
    : { real: paidFirst, bonus: paidSecond };
}

/**
 * A credit goes where `creditTo` says. With one debit in the round its shares are known; with several only that nothing
 * goes to the bonus if none of them took any.
 */
export function checkCredit(
  name: string,
  paid: Purse,
  entries: ReadonlyMap<string, HashEntry>,
  { creditTo }: Pick<MoneyPolicy, 'creditTo'>,
): void {
  const stakes = creditTo === 'real' ? [] : stakesOf(entries);
  const [only] = stakes;
  if (stakes.length > 1) {
    const isBonusTaken = stakes.some(({ bonus }) => bonus !== 0n);
    demand(paid.bonus === 0n || isBonusTaken, splitRule, () => {
      return `${name} gave ${toText(paid)}, and no debit took a bonus`;
    });
    return;
  }
  const whole = only === undefined ? 0n : only.real + only.bonus;
  const bonus = whole === 0n ? 0n : ((paid.real + paid.bonus) * (only?.bonus ?? 0n)) / whole;
  demand(paid.bonus === bonus, splitRule, () => {
    return `${name} gave ${toText(paid)}, not ${bonus} bonus`;
  });
}

/** The rule for the parts of a transaction. */
export const splitRule = 'the split of a transaction';

/** What each debit took that is recorded. */
function stakesOf(entries: ReadonlyMap<string, HashEntry>): Purse[] {
  return [...entries.values()].flatMap(({ transaction: record }) =>
    record?.type === 'debit' ? [record.purse] : [],
  );
}
