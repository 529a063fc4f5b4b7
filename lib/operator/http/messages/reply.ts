import type { ServerResponse } from 'node:http';
import { canAnswer, sendJson } from '../../../platform/http';
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
  if (!canAnswer(response)) return;
  sendJson(response, { status, text: writeJson(body), close });
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
