import { createHmac, randomUUID } from 'node:crypto';
import type { JsonValue } from '../../lib/protocol/json/parse';
import { readReply } from '../../lib/rgs/settlement/answer';
import { settle } from '../../lib/rgs/settlement/settle';
import { currency, gameCode, operatorId, secret } from '../terms';

/** A transaction of a call; the first debit of a round has the round's own hash. */
export interface Movement {
  readonly type: 'debit' | 'credit' | 'end' | 'void';
  readonly hash: string;
  /** 0 for an end. */
  readonly cents: number;
}

/** A call of a round. */
export interface RoundCall {
  readonly playerId: string;
  readonly gameRound: string;
  readonly movements: readonly Movement[];
}

/** What a request may have other than the usual one. */
export interface Tampering {
  /** Another operator, with the same secret. */
  readonly caller?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly body?: (body: { [key: string]: unknown }) => object;
}

/** A debit or a credit; every amount is different from the next, so that one that is lost shows. */
export function movement(type: 'debit' | 'credit', hash: string = randomUUID()): Movement {
  return { type, hash, cents: 1 + Math.floor(Math.random() * 9999) };
}

/** The end of a round. */
export function roundEnd(): Movement {
  return { type: 'end', hash: randomUUID(), cents: 0 };
}

/** A whole round in one call: a debit, so many credits, and the end. */
export function newRound(playerId: string, credits = 1): RoundCall {
  const gameRound = randomUUID();
  const paid = Array.from({ length: credits }, () => movement('credit'));
  return { playerId, gameRound, movements: [movement('debit', gameRound), ...paid, roundEnd()] };
}

/** What a call that is processed moves for its player, in cents. */
export function centsMoved({ movements }: RoundCall): number {
  return movements.reduce((sum, { type, cents }) => sum + (type === 'debit' ? -cents : cents), 0);
}

/** The bytes of a request, signed now as the RGS signs (operator-api 4.1 and 5). */
export function signedRequest(call: RoundCall, tampering: Tampering = {}): Buffer {
  const { playerId, gameRound, movements } = call;
  const timestamp = tampering.timestamp ?? new Date().toISOString();
  const transactions = movements.map(({ type, hash, cents }) => {
    if (type === 'end') return { type, hash, timestamp };
    const first = type === 'debit' ? { isFirstDebit: true } : {};
    return { type, ...first, hash, currency, amount: cents / 100, timestamp };
  });
  const count = { transactionCount: transactions.length };
  const body = { playerId, gameCode, gameRound, transactions, ...count };
  const signed = movements.flatMap(({ hash, cents }) =>
    cents === 0 ? [hash] : [hash, String(cents / 100)],
  );
  const { caller = operatorId } = tampering;
  const mac = sign(timestamp, [playerId, gameCode, gameRound, ...signed], caller);
  const text = JSON.stringify(tampering.body?.(body) ?? body);
  return Buffer.from(
    'POST /doTransactions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
      headers(timestamp, tampering.signature ?? mac, caller) +
      `Content-Length: ${text.length}\r\n\r\n${text}`,
    'latin1',
  );
}

/** The bytes of a request for a player's balance (operator-api 4.2). */
export function balanceRequest(
  playerId: string,
  tampering: Pick<Tampering, 'signature' | 'caller'> = {},
) {
  const timestamp = new Date().toISOString();
  const { caller = operatorId } = tampering;
  const mac = sign(timestamp, [playerId, currency, gameCode], caller);
  const query = `playerId=${playerId}&currency=${currency}&gameCode=${gameCode}`;
  return Buffer.from(
    `GET /getBalance?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `${headers(timestamp, tampering.signature ?? mac, caller)}\r\n`,
    'latin1',
  );
}

function sign(timestamp: string, fields: readonly string[], caller: string): string {
  const text = [secret, caller, timestamp, ...fields].join('#');
  return createHmac('sha256', secret).update(text).digest('base64');
}

function headers(timestamp: string, signature: string, caller: string): string {
  return `X-H-AUTH-ID: ${caller}\r\nX-H-TIMESTAMP: ${timestamp}\r\nX-H-AUTH-SIG: ${signature}\r\n`;
}

/**
 * What an answer holds that says that every transaction of the call was processed, in order: what a load looks for in
 * each answer, since to parse them all would cost it a part of a core. It is stricter than {@link isProcessed}.
 */
export function processedText({ movements }: RoundCall): string {
  return `"hashesProcessed":[${movements.map(({ hash }) => `{"hash":"${hash}"}`).join(',')}]`;
}

/** Whether an answer leaves the RGS nothing to do: every transaction is processed, and nothing is wrong with it. */
export function isProcessed({ status, body }: { status: number; body: string }, call: RoundCall) {
  const transactions = call.movements.map(({ type, hash }) => {
    return { type, hash, isFirstDebit: type === 'debit' };
  });
  const settlement = settle(
    { transactions, hasPaidCredit: false },
    readReply(status, parsed(body)),
  );
  const isWhole = settlement.transactions.every(({ fate }) => fate === 'processed');
  return isWhole && settlement.findings.length === 0;
}

/** Undefined where it is not JSON. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
