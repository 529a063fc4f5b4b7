import { maxUnits } from '../../protocol/money';
import type { Amount } from './requests';

/** Units of an amount of a request; null if it is not one (E4.1). */
export function unitsOf(amount: unknown): bigint | null {
  const isDigits = typeof amount === 'string' && /^(?:0|[1-9]\d{0,15})$/.test(amount);
  const isWhole = typeof amount === 'bigint' || Number.isSafeInteger(amount) || isDigits;
  if (!isWhole) return null;
  const units = BigInt(amount as Amount);
  return units >= 0n && units <= maxUnits ? units : null;
}
