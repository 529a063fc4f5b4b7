import type { DecimalText } from '../protocol/json/exact';
import { maxUnits } from '../protocol/money/amount';

/** A decimal without sign or exponent. */
const form = /^(0|[1-9]\d{0,15})(?:\.(\d{1,15}))?$/;

/**
 * The stakes of a currency: each base stake times the currency's multiplier, exactly (game-engine-api 4.16).
 * Apply it once, here: debits and credits are sent in these units, and are not multiplied again.
 * @param base Stakes in minor units of a currency with the multiplier 1: whole numbers, or decimal texts.
 * @param multiplier As getGameConfiguration asks with it, such as `'150'` or `'0.5'`.
 * @returns Whole minor units.
 * @throws TypeError if a stake is not exact, not above 0, or not whole.
 */
export function scaleStakes(
  base: readonly (bigint | number | DecimalText)[],
  multiplier: DecimalText,
): bigint[] {
  const factor = readDecimal(multiplier, 'the multiplier');
  return base.map((stake, index) => {
    const place = `stake ${index}`;
    const { digits, scale } = readDecimal(textOf(stake, place), place);
    const product = digits * factor.digits;
    const unit = 10n ** BigInt(scale + factor.scale);
    if (product % unit !== 0n) throw new TypeError(`scaleStakes: ${place} would not be whole`);
    const units = product / unit;
    if (units < 1n || units > maxUnits) {
      throw new TypeError(`scaleStakes: ${place} would not be from 1 to 2^53-1`);
    }
    return units;
  });
}

function textOf(stake: unknown, place: string): string {
  if (typeof stake === 'string' || typeof stake === 'bigint') return String(stake);
  if (Number.isSafeInteger(stake)) return String(stake);
  throw new TypeError(`scaleStakes: ${place} must be a bigint, a safe integer or a decimal text`);
}

/** value = digits * 10^-scale */
function readDecimal(text: unknown, place: string): { digits: bigint; scale: number } {
  const [found, whole = '', fraction = ''] = (typeof text === 'string' && form.exec(text)) || [];
  if (found === undefined) throw new TypeError(`scaleStakes: ${place} must be a decimal text`);
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}
