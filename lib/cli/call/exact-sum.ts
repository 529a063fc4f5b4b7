import { isAmountText, shortestForm } from '../../protocol/money';

/** An exact sum of decimal texts: `units` of 10^-`scale`. No float is involved. */
export interface ExactSum {
  readonly units: bigint;
  readonly scale: number;
  /** The most decimals of any summed text, so that the sum is written alike. */
  readonly decimals: number;
}

/** The sum of decimal texts, whose decimals may differ; null if one of them is not a decimal text. */
export function sumExactly(texts: readonly string[]): ExactSum | null {
  if (!texts.every(isAmountText)) return null;
  const shortest = texts.map(shortestForm);
  const scale = Math.max(0, ...shortest.map(decimalsOf));
  const units = shortest.reduce((sum, text) => sum + unitsOf(text, scale), 0n);
  return { units, scale, decimals: Math.max(scale, ...texts.map(decimalsOf)) };
}

/** The sum as a decimal text, with as many decimals as the longest summed text. */
export function writeSum({ units, scale, decimals }: ExactSum): string {
  return writeUnits(units * 10n ** BigInt(decimals - scale), decimals);
}

/**
 * `part` as a percentage of `whole`: a text with two decimals, half rounded up; null if `whole` is not
 * above 0 or `part` is below 0.
 */
export function writePercentage(part: ExactSum, whole: ExactSum): string | null {
  if (whole.units <= 0n || part.units < 0n) return null;
  const numerator = part.units * 10n ** BigInt(whole.scale) * 10_000n;
  const denominator = whole.units * 10n ** BigInt(part.scale);
  return writeUnits((2n * numerator + denominator) / (2n * denominator), 2);
}

function writeUnits(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function unitsOf(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function decimalsOf(text: string): number {
  return /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
