/** The void of a debit: it carries the debit's hash, amount and currency (W6). */
export interface VoidOf<Amount, Currency> {
  readonly type: 'void';
  readonly hash: string;
  readonly amount: Amount;
  readonly currency: Currency;
}

/** Builds the void of a debit, in any form of amounts. */
export function voidOf<Amount, Currency>(debit: {
  readonly hash: string;
  readonly amount: Amount;
  readonly currency: Currency;
}): VoidOf<Amount, Currency> {
  const { hash, amount, currency } = debit;
  return { type: 'void', hash, amount, currency };
}
