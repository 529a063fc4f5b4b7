import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
} from '../../protocol/json/parse';
import { levelsOf, memberText } from '../../protocol/json/documents';
import type { Balance, BalanceEntry } from '../../protocol/engine-api/replies';
import { maxUnits, parseAmount } from '../../protocol/money/amount';

/** What of a session a balance is read for. */
interface BalanceOf {
  readonly mode: string;
  readonly currency: string;
}

/** A balance of a reply, or the reason for none. */
type ReadBalance =
  | { readonly kind: 'known'; readonly balance: Balance }
  /** The reply has no `balances`. */
  | { readonly kind: 'absent' }
  /** They are not what operator-api 2.2 says, in another currency, or not whole minor units; `why` repeats at most a number or currencies. */
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * The balance in a reply of doTransactions or getBalance (E17.2). Amounts are whole minor units, and may be
 * below zero after a reversal; nothing is rounded.
 */
export function readBalance(document: JsonDocument, of: BalanceOf): ReadBalance {
  const { value } = document;
  const listed = isJsonObject(value) ? (value['balances'] ?? null) : null;
  if (!isJsonObject(value) || listed === null) return { kind: 'absent' };
  if (!Array.isArray(listed)) return unreadable('"balances" is not a list');
  if (listed.length === 0) return unreadable('"balances" is an empty list');
  const balances: BalanceEntry[] = [];
  for (const item of listed) {
    const entry = readEntry(document, item, of.currency);
    if (typeof entry === 'string') return unreadable(entry);
    balances.push(entry);
  }
  const own = balances.filter(({ currency }) => currency === of.currency);
  if (own.length === 0) return unreadable(notIn(of.currency, balances));
  const totalBalance = own.reduce((total, { amount }) => total + amount, 0n);
  if (totalBalance > maxUnits || totalBalance < -maxUnits) {
    return unreadable(`the sum ${totalBalance} is beyond 2^53-1`);
  }
  const balance: Balance = {
    totalBalance,
    mode: of.mode,
    currency: of.currency,
    balances,
    discountInfo: offered(document, value, 'discountInfo', isJsonObject),
    tickets: offered(document, value, 'tickets', isListOfObjects),
    ticketInfo: offered(document, value, 'ticketInfo', isJsonObject),
  };
  return { kind: 'known', balance };
}

/** Most levels of what is passed through: a reply puts it two levels deep, and none has more than 16 (E2.4). */
const maxLevels = 14;

/** What an operator offers is passed through, unless the game could not read the reply that holds it (E17.2). */
function offered(
  document: JsonDocument,
  reply: JsonObject,
  name: string,
  isRight: (value: JsonValue | undefined) => boolean,
): string | null {
  const value = reply[name] ?? null;
  return isRight(value) && levelsOf(value) <= maxLevels ? memberText(document, reply, name) : null;
}

function isListOfObjects(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}

/** An entry, or what is wrong with it. */
function readEntry(
  document: JsonDocument,
  item: JsonValue,
  currency: string,
): BalanceEntry | string {
  if (!isJsonObject(item)) return 'an entry of "balances" is not an object';
  const { type, amount: given } = item;
  if (typeof type !== 'string') return 'an entry of "balances" has no "type" that is a text';
  const own = item['currency'] ?? currency;
  if (typeof own !== 'string') return '"currency" is not a text';
  const lexeme = document.lexeme(item, 'amount');
  const amount = signedUnits(lexeme);
  if (amount !== null) return { type, currency: own, amount };
  if (lexeme !== undefined) return `"amount": ${shortened(lexeme)} is not whole minor units`;
  return given === undefined ? '"amount" is missing' : '"amount" is not a JSON number';
}

/** Balances of other currencies are named, if they are such: none is that of the session (E17.2). */
function notIn(currency: string, balances: readonly BalanceEntry[]): string {
  const others = new Set(balances.map((entry) => entry.currency ?? ''));
  const named = [...others].every((code) => /^[A-Z]{3}$/.test(code)) && others.size <= 5;
  return `"balances" has none in ${currency}, but in ${named ? [...others].join(', ') : 'others'}`;
}

/** A number that was received, for a person. */
function shortened(lexeme: string): string {
  return lexeme.length > 24 ? `${lexeme.slice(0, 24)}...` : lexeme;
}

function unreadable(why: string): ReadBalance {
  return { kind: 'unreadable', why };
}

function signedUnits(lexeme: string | undefined): bigint | null {
  if (lexeme === undefined) return null;
  const isNegative = lexeme.startsWith('-');
  const units = parseAmount(isNegative ? lexeme.slice(1) : lexeme, 0);
  return units === null || !isNegative ? units : -units;
}
