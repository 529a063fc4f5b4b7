/**
 * Money is a bigint count of the smallest unit kept: one unit is 10^-decimals of the currency (D2.5). Nothing here
 * rounds, and no amount is ever a float.
 */

/**
 * What 1 is in an amount of a call, as operator and RGS agreed: one of the currency, or a hundredth of it, as the
 * public documentation says (D2.5).
 */
export type AmountUnit = '1' | '1/100';

/** What amounts are counted in. */
export interface AmountTerms {
  /** Decimals kept: one unit is 10^-decimals of the currency. */
  readonly decimals: number;
  readonly unit: AmountUnit;
}

/**
 * Decimals of an amount in a call: the same bigint is written with fewer, if the call counts in hundredths. So nothing
 * is converted, and what cannot be held exactly is refused as in any other unit (D2.5).
 * @throws TypeError for another unit, or fewer decimals than it needs.
 */
export function decimalsOfCalls({ decimals, unit }: AmountTerms): number {
  if (unit === '1') return decimals;
  if (unit !== '1/100') throw new TypeError("unit must be '1' or '1/100'");
  if (decimals < 2) throw new TypeError("unit '1/100' needs decimals of at least 2");
  return decimals - 2;
}

/** The largest amount or balance, in units: 2^53-1, exact in a store's doubles too. */
export const maxUnits = 2n ** 53n - 1n;

/** Decimals kept unless set otherwise (D2.5). */
export const defaultDecimals = 4;

/** Most decimals that can be set; 2^53-1 units then are still 90 million. */
export const maxDecimals = 8;

/** Digits, optionally with a point among them. */
const plainForm = /^\d+(?:\.\d+)?$/;
const decimalForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Most characters of a number's text that may be an amount (D1.5). */
const longestText = 40;

/** Digits and the place of the point: value = digits * 10^-scale, without trailing zeros. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly scale: number;
}

/**
 * Whether a number's text may be an amount: at most 40 characters, and an exponent of at most two digits
 * (D1.5). Nothing is computed from a longer text, or from one that would be longer written out.
 */
export function isAmountText(lexeme: string): boolean {
  return lexeme.length <= longestText && decimalForm.test(lexeme);
}

/**
 * Units of a JSON number's text; null if they cannot be exact: negative, more decimals than kept, above
 * 2^53-1 units, or not a number (D2.5).
 */
export function parseAmount(lexeme: string, decimals: number): bigint | null {
  const point = lexeme.indexOf('.');
  const missing = point < 0 ? decimals : decimals - (lexeme.length - point - 1);
  if (missing >= 0 && lexeme.length + missing <= 15 && plainForm.test(lexeme)) {
    const digits = point < 0 ? lexeme : lexeme.slice(0, point) + lexeme.slice(point + 1);
    return BigInt(missing === 0 ? digits : digits + '0'.repeat(missing));
  }
  const decimal = readDecimal(lexeme);
  if (decimal === null) return null;
  if (decimal.digits === '') return 0n;
  const shift = decimals - decimal.scale;
  if (decimal.negative || shift < 0 || decimal.digits.length + shift > 16) return null;
  const units = BigInt(decimal.digits) * 10n ** BigInt(shift);
  return units > maxUnits ? null : units;
}

/** The shortest decimal text of an amount in units: 105000n with 4 decimals is `10.5`. */
export function formatAmount(units: bigint, decimals: number): string {
  if (units === 0n) return '0';
  const negative = units < 0n;
  // Cut from the digits: an event has ten amounts, a page a thousand events, and sums of numbers take twice as long.
  const digits = (negative ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const shown = withoutEndZeros(digits, point);
  const text = shown.length === point ? shown : `${shown.slice(0, point)}.${shown.slice(point)}`;
  return negative ? `-${text}` : text;
}

/**
 * The shortest decimal form of a number's text: `10.50` is `10.5`, `1e2` is `100` (D1.5). A text that is
 * not an amount is returned unchanged.
 */
export function shortestForm(lexeme: string): string {
  if (lexeme.length > longestText || shortForm.test(lexeme)) return lexeme;
  const decimal = readDecimal(lexeme);
  if (decimal === null) return lexeme;
  const { digits, scale } = decimal;
  if (digits === '') return '0';
  const sign = decimal.negative ? '-' : '';
  if (scale <= 0) return sign + digits + '0'.repeat(-scale);
  const padded = digits.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Whether a number's text is zero in any spelling: `0`, `0.00`, `-0`, `0e5` (D1.5). */
export function isZero(lexeme: string): boolean {
  return /^-?0+(?:\.0+)?(?:[eE][+-]?\d+)?$/.test(lexeme);
}

/** Whole digits, and a fraction without trailing zeros: there is no shorter form. */
const shortForm = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

function readDecimal(lexeme: string): Decimal | null {
  if (lexeme.length > longestText) return null;
  const match = decimalForm.exec(lexeme);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = withoutEndZeros(all);
  if (digits === '') return { negative: false, digits, scale: 0 };
  const scale = fraction.length - Number(exponent) - (all.length - digits.length);
  return { negative: sign === '-', digits, scale };
}

/** A loop, not a pattern: a pattern for the end is retried at every earlier zero. */
function withoutEndZeros(digits: string, least = 0): string {
  let end = digits.length;
  while (end > least && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

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

/** A decimal of 0 or more: digits * 10^-scale. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Most characters of a decimal text. */
const longestDecimal = 40;

/** A decimal text without sign or exponent, such as `0.089`; null for any other text. */
export function decimalOf(text: string): ExactDecimal | null {
  if (text.length > longestDecimal || !/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** The exact product. */
export function timesDecimal(one: ExactDecimal, other: ExactDecimal): ExactDecimal {
  return { digits: one.digits * other.digits, scale: one.scale + other.scale };
}

/** The whole number at a decimal: the one below or above it, or the nearest, a half upwards. */
export function wholeOf(
  { digits, scale }: ExactDecimal,
  rounding: 'down' | 'up' | 'nearest',
): bigint {
  const one = 10n ** BigInt(scale);
  if (rounding === 'down') return digits / one;
  return rounding === 'up' ? (digits + one - 1n) / one : (2n * digits + one) / (2n * one);
}
