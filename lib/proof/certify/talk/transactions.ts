import { ExactNumber, type Writable } from '../../../protocol/json';
import { formatAmount } from '../../../protocol/money';

/** A transaction as it is sent (operator-api 2.1). */
export interface Transaction {
  readonly type: string;
  readonly hash: string;
  /** Absent on an end. */
  readonly amount?: ExactNumber;
  readonly [member: string]: Writable;
}

/** Decimals of the wire's number in a unit: 10000 units are 1, the smallest part of a currency. */
export const decimals = 4;

/** Units in 1 of the wire. */
export const unitsInOne = 10n ** BigInt(decimals);

/** An amount in units, or the text of a number as it must appear in the body. */
export type Amount = bigint | string;

/** The number on the wire: 10500n units are `1.05`. */
export function exactly(amount: Amount): ExactNumber {
  return new ExactNumber(typeof amount === 'string' ? amount : formatAmount(amount, decimals));
}

/** The void of a debit: it carries the debit's hash, amount and currency (operator-api 3, rule 6; 4.1). */
export function voidOf(
  debit: Transaction,
  more: { readonly [member: string]: Writable } = {},
): Transaction {
  const { hash, amount, currency, timestamp } = debit;
  const money = amount === undefined ? {} : { amount, currency };
  return { type: 'void', hash, ...money, timestamp, reason: 'the debit failed', ...more };
}
