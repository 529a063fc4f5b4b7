import { maxUnits } from '../../protocol/money/amount';
import { type Purse, splitDebit } from '../../protocol/money/purse';

/** What a player has in one currency; `bonus` null: there is no such balance. */
export interface Funds {
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** A debit, and what it must take; null: it must be refused as too high. */
interface SplitRow {
  readonly amount: bigint;
  readonly bonusFirst: boolean;
  readonly takes: Purse | null;
  /** For messages. */
  readonly name: string;
}

/** Players without a bonus balance. */
export const realFunds: readonly Funds[] = fundsOf([
  [0n, null],
  [1n, null],
  [100n, null],
  [maxUnits, null],
]);

/** Players with a bonus balance. */
export const bonusFunds: readonly Funds[] = fundsOf([
  [0n, 0n],
  [100n, 0n],
  [0n, 40n],
  [1n, 1n],
  [100n, 40n],
  [40n, 100n],
  [maxUnits, 1n],
  [1n, maxUnits],
  [maxUnits, maxUnits],
]);

/** Players with a balance below zero, which pays nothing and reduces no other. */
export const fundsInDebt: readonly Funds[] = fundsOf([
  [-50n, 0n],
  [-50n, 40n],
  [50n, -40n],
  [-50n, -40n],
]);

/** Debits on both sides of each limit of these funds, in both orders, split by `splitDebit`. */
export function splitRowsOf({ real, bonus }: Funds): readonly SplitRow[] {
  const available = { real, bonus: bonus ?? 0n };
  const limits = [0n, real, available.bonus, real + available.bonus];
  const amounts = limits.flatMap((limit) => [limit - 1n, limit, limit + 1n]);
  const possible = new Set(amounts.filter((amount) => amount >= 0n && amount <= maxUnits));
  return [...possible].flatMap((amount) =>
    [false, true].map((bonusFirst) => ({
      amount,
      bonusFirst,
      takes: splitDebit(amount, available, bonusFirst),
      name: `${amount} units, ${bonusFirst ? 'bonus' : 'real'} first, from ${nameOf({ real, bonus })}`,
    })),
  );
}

/** Funds in words. */
export function nameOf({ real, bonus }: Funds): string {
  return bonus === null ? `${real} real and no bonus balance` : `${real} real and ${bonus} bonus`;
}

function fundsOf(pairs: readonly (readonly [bigint, bigint | null])[]): readonly Funds[] {
  return pairs.map(([real, bonus]) => ({ real, bonus }));
}
