import type { CheckedCall } from './check-call';
import { CallRefused } from './check-sender';

/** Error ids of transactions that are refused, by what the store says. */
const refusals: Readonly<Record<string, { readonly id: number; readonly msg: string }>> = {
  tooLow: { id: 21, msg: 'The balance is too low.' },
  started: { id: 12, msg: 'The round has a first debit already.' },
  closed: { id: 13, msg: 'The round is closed.' },
  reused: { id: 14, msg: 'The hash was used with other content.' },
  declined: { id: 15, msg: 'An earlier debit failed.' },
};

/** What became of a call. */
export interface Processed {
  /** After the call, in cents. */
  readonly balance: number;
  /** Of each transaction: `ok`, or a key of the refusals. */
  readonly outcomes: readonly string[];
}

/** A reply of a service written by hand. */
export interface HandReply {
  readonly status: number;
  readonly body: object;
}

/** The reply to a call that was processed, or not all of it (operator-api 4.1, rules 2 and 5). */
export function replyTo(call: CheckedCall, { balance, outcomes }: Processed): HandReply {
  const hashesProcessed = call.transactions.map(({ hash }, at) => {
    const errorCode = refusals[outcomes[at] ?? ''];
    return errorCode === undefined ? { hash } : { hash, errorCode };
  });
  const failed = outcomes.find((outcome) => outcome !== 'ok');
  const balances = balancesOf(balance, call.currency);
  if (failed === undefined) return { status: 200, body: { balances, hashesProcessed } };
  return { status: 400, body: { balances, hashesProcessed, errorCode: refusals[failed] } };
}

/**
 * The reply to a request for a balance, in cents; null for an unknown player.
 * @throws CallRefused
 */
export function replyWithBalance(cents: number | null, currency: string): HandReply {
  if (cents === null) throw new CallRefused(400, 1, 'The player is not known.');
  return { status: 200, body: { balances: balancesOf(cents, currency) } };
}

function balancesOf(cents: number, currency: string): readonly object[] {
  return [{ type: 'real', amount: cents / 100, currency }];
}

/** The reply to a call that was not processed; internal errors are not shown. */
export function replyToError(error: unknown): HandReply {
  if (error instanceof CallRefused) {
    const { status, id, message } = error;
    return { status, body: { errorCode: { id, msg: message } } };
  }
  return { status: 503, body: { errorCode: { id: 1002, msg: 'Temporarily unavailable.' } } };
}
