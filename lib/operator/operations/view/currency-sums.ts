import { formatAmount } from '../../../protocol/money/amount';

/** Sums by currency as decimal texts, of amounts in units. */
export function currencySums(
  amounts: Iterable<readonly [currency: string, units: bigint]>,
  decimals: number,
): Record<string, string> {
  const sums = new Map<string, bigint>();
  for (const [currency, units] of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + units);
  return Object.fromEntries(
    [...sums].map(([currency, sum]) => [currency, formatAmount(sum, decimals)]),
  );
}
