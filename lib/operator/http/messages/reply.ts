import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { formatAmount } from '../../../protocol/money';
import { ExactNumber, type Writable, writeJson } from '../../../protocol/json';
import type { Account } from '../../wallet';

/** An answer, ready to send. */
export interface Reply {
  readonly status: number;
  readonly body: { readonly [key: string]: Writable };
  /** Close the connection afterwards: the rest of the request was not read. */
  readonly close?: boolean;
}

/** Sends an answer in one piece; does nothing if the caller is gone. */
export function sendReply(response: ServerResponse, { status, body, close }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  const text = writeJson(body);
  const headers: OutgoingHttpHeaders = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  };
  if (close === true) {
    headers['connection'] = 'close';
    // At once: until it is closed, node parses whatever else has arrived, in pieces however small.
    const { socket } = response;
    response.once('finish', () => socket?.destroy());
  }
  response.writeHead(status, headers);
  response.end(text);
}

/** Sends an answer; if that fails, cuts the connection: no answer is better than a wrong one. */
export function sendOrCut(response: ServerResponse, reply: Reply): void {
  try {
    sendReply(response, reply);
  } catch {
    response.destroy();
  }
}

/** The members of a reply for a balance (operator-api 2.2): real, and bonus if there is one. */
export function balanceMembers(
  account: Account | null,
  decimals: number,
  useBonusFirst: boolean,
): { [key: string]: Writable } {
  if (account === null) return {};
  const { currency, real, bonus } = account;
  const entry = (type: string, units: bigint) => ({
    type,
    amount: new ExactNumber(formatAmount(units, decimals)),
    currency,
  });
  if (bonus === null) return { balances: [entry('real', real)] };
  return { balances: [entry('real', real), entry('bonus', bonus)], useBonusFirst };
}
