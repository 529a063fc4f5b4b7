/** A decimal of 0 or more: digits * 10^-scale. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Most characters of a decimal text. */
const longestText = 40;

/** A decimal text without sign or exponent, such as `0.089`; null for any other text. */
export function decimalOf(text: string): ExactDecimal | null {
  if (text.length > longestText || !/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return null;
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
