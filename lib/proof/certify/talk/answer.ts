import { type JsonDocument, type JsonValue, parseJson } from '../../../protocol/json/parse';
import { ExactNumber, type Writable } from '../../../protocol/json/write';
import { formatAmount, isAmountText, shortestForm } from '../../../protocol/money/amount';
import {
  type ListedHash,
  meaningOf,
  readReply,
  type WalletError,
} from '../../../rgs/settlement/answer';
import type { Exchange } from '../client';

/** An entry of `balances` (operator-api 2.2). */
interface BalanceEntry {
  readonly type: string;
  readonly currency: string;
  /** In units (see {@link Amount}); null if they cannot hold it exactly. */
  readonly amount: bigint | null;
}

/** A reply of the wallet, read as the service reads it (W1). */
export interface Answer {
  readonly exchange: Exchange;
  /** 0 if none came. */
  readonly status: number;
  /** What it means to the service: `silent` decides nothing. */
  readonly meaning: 'success' | 'refusal' | 'silent';
  /** The body as parsed; null if it is not a JSON object that the service accepts. */
  readonly body: { readonly [key: string]: JsonValue } | null;
  /** The error at the top. */
  readonly error: WalletError | null;
  /** `hashesProcessed`; empty if there is none. */
  readonly processed: readonly ListedHash[];
  /** Null if the reply has no list of balances. */
  readonly balances: readonly BalanceEntry[] | null;
}

/** Reads what came of a call. */
export function readAnswer(exchange: Exchange): Answer {
  const { reply } = exchange;
  const nothing = { exchange, status: 0, body: null, error: null, processed: [], balances: null };
  if (reply.kind !== 'reply') return { ...nothing, meaning: 'silent' };
  const { status } = reply;
  const document = documentOf(reply.body);
  const answer = readReply(status, document?.value);
  const meaning = meaningOf(answer);
  if (document === null || answer.kind !== 'reply' || answer.body === null) {
    return { ...nothing, status, meaning };
  }
  const { hashesProcessed, error } = answer.body;
  const body = document.value as { readonly [key: string]: JsonValue };
  const balances = balancesOf(document, body['balances']);
  return { exchange, status, meaning, body, error, processed: hashesProcessed, balances };
}

/** Total of the real and bonus balance of a currency, in units; null if it cannot be read, or none is real (operator-api 2.2). */
export function totalOf({ balances }: Answer, currency: string): bigint | null {
  if (!balances?.some((one) => one.type === 'real' && one.currency === currency)) return null;
  let total = 0n;
  for (const { type, amount, currency: of } of balances) {
    if (of !== currency || (type !== 'real' && type !== 'bonus')) continue;
    if (amount === null) return null;
    total += amount;
  }
  return total;
}

function documentOf(bytes: Buffer): JsonDocument | null {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

function balancesOf(document: JsonDocument, list: JsonValue | undefined): BalanceEntry[] | null {
  if (!Array.isArray(list)) return null;
  return list.map((item) => {
    const entry = typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {};
    const { type, currency } = entry;
    return {
      type: typeof type === 'string' ? type : '',
      currency: typeof currency === 'string' ? currency : '',
      amount: unitsOf(document.lexeme(entry, 'amount')),
    };
  });
}

/** Units of a number's text; null if they cannot hold it exactly. A balance may be below zero, and has no upper limit. */
export function unitsOf(text: string | undefined): bigint | null {
  // A number of thousands of digits would cost more than its bytes.
  if (text === undefined || !isAmountText(text)) return null;
  const plain = /^(-?)(\d+)(?:\.(\d+))?$/.exec(shortestForm(text));
  if (plain === null) return null;
  const [, sign = '', whole = '', fraction = ''] = plain;
  if (fraction.length > decimals) return null;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -units : units;
}

/** What came, as a part of a sentence: `200`, `400 with error 9003`, `no reply in time`. */
export function described({ exchange: { reply }, status, body, error }: Answer): string {
  if (reply.kind === 'timeOut') return `no reply within ${reply.ms} ms`;
  if (reply.kind === 'cut') return `no whole reply (${reply.why})`;
  if (body === null) return `${status} without a JSON object`;
  if (error === null) return `${status} without an error`;
  return `${status} with error ${error.id ?? 'without an id'}`;
}

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
