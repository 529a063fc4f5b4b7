import { maxUnits } from './amount';

/** An amount split by balance, in units; either part may be below zero. */
export interface Purse {
  readonly real: bigint;
  readonly bonus: bigint;
}

/** Zero in both balances. */
export const emptyPurse: Purse = Object.freeze({ real: 0n, bonus: 0n });

/** The sum of two purses, balance by balance. */
export function addPurses(a: Purse, b: Purse): Purse {
  return { real: a.real + b.real, bonus: a.bonus + b.bonus };
}

/** The difference of two purses, balance by balance. */
export function subtractPurses(a: Purse, b: Purse): Purse {
  return { real: a.real - b.real, bonus: a.bonus - b.bonus };
}

/** Whether both parts are zero. */
export function isEmptyPurse(purse: Purse): boolean {
  return purse.real === 0n && purse.bonus === 0n;
}

/**
 * An amount split in the proportion of `shares`; the remainder goes to real. If the shares are empty, all
 * of it goes to real.
 */
export function splitByShares(amount: bigint, shares: Purse): Purse {
  const whole = shares.real + shares.bonus;
  const bonus = whole > 0n && shares.bonus > 0n ? (amount * shares.bonus) / whole : 0n;
  return { real: amount - bonus, bonus };
}

/**
 * What a debit takes from each balance: the requested order, the second balance paying what the first
 * lacks. Null if both together are too low. A balance below zero pays nothing. This is the one rule that
 * scripts know too (docs/architecture.md); the store and ledger contracts compare them with this function.
 */
export function splitDebit(amount: bigint, available: Purse, bonusFirst: boolean): Purse | null {
  const real = available.real > 0n ? available.real : 0n;
  const bonus = available.bonus > 0n ? available.bonus : 0n;
  if (real + bonus < amount) return null;
  if (bonusFirst) {
    const fromBonus = bonus < amount ? bonus : amount;
    return { real: amount - fromBonus, bonus: fromBonus };
  }
  const fromReal = real < amount ? real : amount;
  return { real: fromReal, bonus: amount - fromReal };
}

/** Whether a store can hold both parts exactly. */
export function isInRange({ real, bonus }: Purse): boolean {
  return real <= maxUnits && real >= -maxUnits && bonus <= maxUnits && bonus >= -maxUnits;
}
