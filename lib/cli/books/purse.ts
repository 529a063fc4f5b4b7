import { formatAmount, type Purse } from '../../protocol/money';

/** Both balances as decimal strings. */
export function purseJson({ real, bonus }: Purse, decimals: number): object {
  return { real: formatAmount(real, decimals), bonus: formatAmount(bonus, decimals) };
}

/** The real balance as a decimal string, and the bonus if there is any. */
export function purseText({ real, bonus }: Purse, decimals: number): string {
  const rest = bonus === 0n ? '' : ` and bonus ${formatAmount(bonus, decimals)}`;
  return `${formatAmount(real, decimals)}${rest}`;
}
