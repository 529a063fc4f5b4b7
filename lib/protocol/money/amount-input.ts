import { maxUnits, parseAmount } from './amount';

/** An amount in the smallest unit kept: `{ units: 10n }` is 0.0010 with 4 decimals. */
export interface Units {
  /** 0 to 2^53-1. */
  readonly units: bigint;
}

/**
 * An amount from a user of the kit: a decimal text (`'10.50'`), or `{ units: 105000n }`. A bare bigint is
 * refused: `10n` reads as ten of the currency, and would move ten units.
 */
export type AmountInput = string | Units;

/** Digits, at most one point, no sign, no exponent, no leading zero. */
const inputForm = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Units of an amount from a user of the kit.
 * @throws TypeError if it is neither a decimal text nor `{ units }`, or cannot be represented exactly.
 */
export function unitsOf(amount: AmountInput, decimals: number): bigint {
  if (typeof amount === 'bigint') {
    throw new TypeError('an amount in units is written { units: 10n }, not as a bare bigint');
  }
  const units = typeof amount === 'string' ? readText(amount, decimals) : unitsIn(amount);
  if (typeof units !== 'bigint' || units < 0n || units > maxUnits) {
    throw new TypeError(
      `an amount is a decimal text such as '10.50' with at most ${decimals} decimals, without exponent and leading zeros, or { units: 105000n } of 0 to 2^53-1`,
    );
  }
  return units;
}

function readText(text: string, decimals: number): bigint | null {
  return inputForm.test(text) ? parseAmount(text, decimals) : null;
}

function unitsIn(amount: unknown): unknown {
  return (Object(amount) as Partial<Units>).units;
}

/**
 * The same of an amount that may be below zero: `'-10.50'`, or `{ units: -105000n }`.
 * @throws TypeError as {@link unitsOf}.
 */
export function signedUnitsOf(amount: AmountInput, decimals: number): bigint {
  if (typeof amount === 'string' && amount.startsWith('-')) {
    return -unitsOf(amount.slice(1), decimals);
  }
  const units = typeof amount === 'string' ? null : unitsIn(amount);
  if (typeof units === 'bigint' && units < 0n) return -unitsOf({ units: -units }, decimals);
  return unitsOf(amount, decimals);
}
