import { createHmac } from 'node:crypto';

import { OPERATORS, type PlainWallet } from './wallets/plain-wallet.cjs';

/** The time of the plain wallets of these tests. */
export const now = Date.parse('2026-03-01T12:00:00.000Z');
const secret = OPERATORS[0]?.secrets[0] ?? '';

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly errorCode?: { readonly id: number };
    readonly balances?: readonly { readonly type: string; readonly amount: number }[];
    readonly hashesProcessed?: readonly {
      readonly hash: string;
      readonly errorCode?: { readonly id: number };
    }[];
  };
}

/** What is not as in most calls. */
export interface Difference {
  readonly playerId?: string;
  readonly gameCode?: string;
  readonly gameRound?: string;
  /** EUR unless set. */
  readonly currency?: string;
  /** Milliseconds after the other calls. */
  readonly later?: number;
  /** How the time is written. */
  readonly written?: (date: Date) => string;
  /** Changes the text of the body after it was written. */
  readonly change?: (body: string) => string;
  /** Changes the signature after it was made. */
  readonly forge?: (signature: string) => string;
  /** How many transactions are signed; all unless set. */
  readonly signed?: number;
  readonly connection?: object;
}

/** A transaction as `debit! d1 100` (the first), `debit d2 50`, `free d3`, `credit c1 20`, `end e1`, `void d1`. */
function transactionOf(line: string, currency: string): Record<string, unknown> {
  const [type = '', hash = '', amount] = line.split(' ');
  const flag = type.startsWith('debit') ? { isFirstDebit: type.endsWith('!') } : {};
  const money = amount === undefined ? {} : { amount: Number(amount), currency };
  if (type === 'free') return { type: 'debit', hash, isFirstDebit: true, currency, serial: 's1' };
  return { type: type.replace('!', ''), hash: decodeURIComponent(hash), ...flag, ...money };
}

let calls = 0;

/** Sends a call as the service does. */
export async function send(
  wallet: PlainWallet,
  lines: string,
  different: Difference = {},
): Promise<Reply> {
  calls += 1;
  const { playerId = 'p1', gameCode = 'game-bells', gameRound = 'r1' } = different;
  const { currency = 'EUR', later = 0, signed: count, connection } = different;
  const transactions = lines.split(', ').map((line) => transactionOf(line, currency));
  const call = { playerId, gameCode, gameRound };
  const text = JSON.stringify({ ...call, transactions, transactionCount: transactions.length });
  const body = different.change?.(text) ?? text;
  const amounts = [
    ...body.matchAll(/"hash":"([^"]*)"(?:,"isFirstDebit":\w+)?(?:,"amount":([\d.]+))?/g),
  ];
  const signed = amounts
    .slice(0, count)
    .flatMap(([, hash = '', amount]) => (Number(amount) ? [hash, amount] : [hash]));
  const date = new Date(now + later + calls);
  const timestamp = different.written?.(date) ?? date.toISOString();
  const fields = [secret, 'operator-1', timestamp, ...Object.values(call), ...signed].join('#');
  const right = createHmac('sha256', secret).update(fields).digest('base64');
  const headers = {
    'X-H-AUTH-ID': 'operator-1',
    'X-H-AUTH-SIG': different.forge?.(right) ?? right,
    'X-H-TIMESTAMP': timestamp,
    'content-type': 'application/json',
  };
  const request = {
    method: 'POST',
    url: '/doTransactions',
    rawHeaders: Object.entries(headers).flat(),
    body: Buffer.from(body),
    ...(connection === undefined ? {} : { connection }),
  };
  const reply = await wallet.answer(request);
  return { status: reply.status, text: reply.text, body: JSON.parse(reply.text) as Reply['body'] };
}

/** `200 999900: d1, c1 9004`: status, real balance, and what was decided of each hash. */
export function shown({ status, body }: Reply): string {
  const hashes = (body.hashesProcessed ?? []).map(({ hash, errorCode }) => {
    return errorCode === undefined ? hash : `${hash} ${errorCode.id}`;
  });
  return `${status} ${body.balances?.[0]?.amount}: ${hashes.join(', ')}`;
}
