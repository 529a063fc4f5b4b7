import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../protocol/json/parse';
import { isAmountText } from '../../../protocol/money/amount';
import { exactly, type Transaction, unitsOf } from '../talk';

/** A debit in a body. */
interface ReadDebit {
  readonly transaction: Transaction;
  readonly units: bigint;
  readonly isFirst: boolean;
}

/** The money of a body. */
export interface ReadCall {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly currency: string;
  readonly debits: readonly ReadDebit[];
  readonly credits: readonly { readonly hash: string; readonly units: bigint }[];
  readonly voids: readonly string[];
}

/**
 * The calls that a wallet may read in a body; none if it is not one of doTransactions. One that a strict parser refuses
 * may be read leniently, where the last of two equal keys counts, or as the body that was signed.
 */
export function readCalls(body: string, signed: string | undefined): readonly ReadCall[] {
  const document = strictly(body);
  if (document !== null) return callsIn(document);
  const spare = signed === undefined || signed === body ? null : strictly(signed);
  return [leniently(body), spare].flatMap((one) => (one === null ? [] : callsIn(one)));
}

function callsIn(document: JsonDocument): readonly ReadCall[] {
  const { value } = document;
  if (!isJsonObject(value)) return [];
  const { playerId, gameCode, gameRound, transactions } = value;
  if (typeof playerId !== 'string' || typeof gameRound !== 'string') return [];
  const list = (Array.isArray(transactions) ? transactions : []).filter(isJsonObject);
  const ofType = (type: string) =>
    list.filter((item) => textOf(item['type']).toLowerCase() === type);
  const debits = ofType('debit');
  const call = {
    playerId,
    gameRound,
    gameCode: typeof gameCode === 'string' ? gameCode : '',
    currency: textOf(debits[0]?.['currency']),
    debits: debits.flatMap((item) => debitOf(document, item)),
    credits: ofType('credit').map((item) => {
      return { hash: textOf(item['hash']), units: unitsOf(document.lexeme(item, 'amount')) ?? 0n };
    }),
    voids: ofType('void').map(({ hash }) => textOf(hash)),
  };
  return [call];
}

function debitOf(document: JsonDocument, item: JsonObject): ReadDebit[] {
  const { hash, currency, isFirstDebit } = item;
  if (typeof hash !== 'string') return [];
  const text = amountTextOf(document, item);
  const units = unitsOf(text) ?? 0n;
  const money = {
    // In its shortest form: a void of an amount as it was written may be signed otherwise by the wallet.
    amount: exactly(unitsOf(text) ?? text ?? 0n),
    currency: typeof currency === 'string' ? currency : '',
  };
  const isFirst = textOf(isFirstDebit) !== 'false';
  return [
    { transaction: { type: 'debit', hash, ...money }, units: units > 0n ? units : 0n, isFirst },
  ];
}

/** The amount as it can be signed in a void; a text of digits is a number to some wallets. */
function amountTextOf(document: JsonDocument, item: JsonObject): string | undefined {
  const { amount } = item;
  const text = typeof amount === 'string' ? amount : document.lexeme(item, 'amount');
  if (text === undefined || isAmountText(text)) return text;
  const short = String(Number(text));
  return isAmountText(short) ? short : undefined;
}

/** A text or a boolean as text; nothing of any other value. */
function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

function strictly(body: string): JsonDocument | null {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}

/** What usual parsers read in a body, as far as a call has it. */
function leniently(body: string): JsonDocument | null {
  const value = parsed(body);
  if (!isJsonObject(value)) return null;
  const { playerId, gameCode, gameRound } = value;
  const items = Array.isArray(value['transactions']) ? value['transactions'] : [];
  const transactions = items.filter(isJsonObject).map((item) => {
    const { type, hash, amount, currency, isFirstDebit } = item;
    return { type, hash, amount, currency, isFirstDebit };
  });
  try {
    return parseJson(JSON.stringify({ playerId, gameCode, gameRound, transactions }));
  } catch {
    return null;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
