import type { WireCall } from '../view/wire';
import { documentOf } from '../wire/request';
import type { PlayerOfCall } from './accounts';

/** Whose money a call to a wallet moves, and in which round. */
export interface MovingCall {
  readonly player: PlayerOfCall;
  readonly gameRound: string;
}

/** What a doTransactions is about; null for any other call. */
export function movingCall(call: WireCall): MovingCall | null {
  if (call.line !== 'rgs-wallet' || call.call !== 'doTransactions' || call.round === null)
    return null;
  const request = documentOf(call.body.text)?.value;
  if (!isRecord(request)) return null;
  const { playerId, transactions } = request;
  const operatorId = call.headers['x-h-auth-id'];
  const currency = currencyOf(transactions);
  if (typeof playerId !== 'string' || operatorId === undefined || currency === null) return null;
  return { player: { operatorId, playerId, currency }, gameRound: call.round };
}

/** The balance that the wallet's reply reports; null if it reports none in the currency, or not in whole units. */
export function balanceIn({ replyBody }: WireCall, currency: string): bigint | null {
  const reply = documentOf(replyBody?.text ?? null);
  if (reply === null || !isRecord(reply.value)) return null;
  const { balances } = reply.value;
  if (!Array.isArray(balances)) return null;
  let balance: bigint | null = null;
  for (const entry of balances as unknown[]) {
    if (!isRecord(entry) || (entry['currency'] ?? currency) !== currency) continue;
    const amount = reply.lexeme(entry, 'amount') ?? '';
    if (!/^-?\d{1,16}$/.test(amount)) return null;
    balance = (balance ?? 0n) + BigInt(amount);
  }
  return balance;
}

function currencyOf(transactions: unknown): string | null {
  if (!Array.isArray(transactions)) return null;
  for (const one of transactions as unknown[]) {
    if (isRecord(one) && typeof one['currency'] === 'string') return one['currency'];
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
