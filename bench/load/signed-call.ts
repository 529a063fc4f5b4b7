import { createHmac, randomUUID } from 'node:crypto';
import { currency, gameCode, operatorId, secret } from '../terms';

/** A call of a new round: [debit, credit, end]. */
export interface RoundCall {
  readonly playerId: string;
  readonly gameRound: string;
  readonly debitCents: number;
  readonly creditCents: number;
  readonly creditHash: string;
  readonly endHash: string;
}

/** What a request may have other than the right one, for probes. */
export interface Tampering {
  readonly timestamp?: string;
  readonly signature?: string;
  readonly body?: (body: { [key: string]: unknown }) => object;
}

/** A round of a player; every amount is different from the next, so that one that is lost shows. */
export function newRound(playerId: string): RoundCall {
  const creditCents = 1 + Math.floor(Math.random() * 9999);
  const debitCents = 1 + Math.floor(Math.random() * 9999);
  const hashes = { gameRound: randomUUID(), creditHash: randomUUID(), endHash: randomUUID() };
  return { playerId, debitCents, creditCents, ...hashes };
}

/** The bytes of a request, signed now as the RGS signs (operator-api 4.1 and 5). */
export function signedRequest(call: RoundCall, tampering: Tampering = {}): Buffer {
  const { playerId, gameRound, creditHash, endHash } = call;
  const now = new Date().toISOString();
  const { timestamp = now } = tampering;
  const debit = call.debitCents / 100;
  const credit = call.creditCents / 100;
  const body = {
    playerId,
    gameCode,
    gameRound,
    transactions: [
      { type: 'debit', isFirstDebit: true, hash: gameRound, currency, amount: debit, timestamp },
      { type: 'credit', hash: creditHash, currency, amount: credit, timestamp },
      { type: 'end', hash: endHash, timestamp },
    ],
    transactionCount: 3,
  };
  const signed = [secret, operatorId, timestamp, playerId, gameCode, gameRound];
  signed.push(gameRound, String(debit), creditHash, String(credit), endHash);
  const mac = createHmac('sha256', secret).update(signed.join('#')).digest('base64');
  const text = JSON.stringify(tampering.body?.(body) ?? body);
  return Buffer.from(
    'POST /doTransactions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n' +
      `X-H-AUTH-ID: ${operatorId}\r\nX-H-TIMESTAMP: ${timestamp}\r\n` +
      `X-H-AUTH-SIG: ${tampering.signature ?? mac}\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    'latin1',
  );
}

/** Whether an answer tells that every transaction of the round was processed. */
export function isProcessed({ status, body }: { status: number; body: string }, call: RoundCall) {
  const told = (hash: string) => body.includes(`{"hash":"${hash}"}`);
  return status === 200 && told(call.gameRound) && told(call.creditHash) && told(call.endHash);
}
