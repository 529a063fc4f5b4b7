/** More digits may not be exact. */
const mostDigits = 15;

/**
 * Units of an amount below or above zero in its most frequent spelling: at most fifteen digits, with a point or without. Null of any
 * other text, which may still be an amount. It takes much less time than a bigint from a text.
 */
export function plainUnits(text: string, decimals: number): number | null {
  const isNegative = text.startsWith('-');
  const first = isNegative ? 1 : 0;
  const point = text.indexOf('.', first);
  const end = point < 0 ? text.length : point;
  const missing = point < 0 ? decimals : decimals - (text.length - point - 1);
  if (missing < 0 || end === first || point === text.length - 1) return null;
  if (text.length + missing > mostDigits) return null;
  let units = 0;
  for (let at = first; at < text.length; at++) {
    if (at === point) continue;
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    units = units * 10 + digit;
  }
  for (let zeros = missing; zeros > 0; zeros--) units *= 10;
  return isNegative ? 0 - units : units;
}
