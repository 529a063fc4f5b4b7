import { formatAmount } from '../../../protocol/money';
import { decimals } from '../talk';

/** Units as the wire's number: `100`, `-0.5`. */
export function amountText(units: bigint): string {
  return formatAmount(units, decimals);
}
