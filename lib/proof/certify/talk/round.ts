import { type Writable, writeJson } from '../../../protocol/json';
import type { Answer } from './answer';
import { type Amount, exactly, type Transaction } from './transactions';

type Members = { readonly [member: string]: Writable };

/** A gameround of one player, which the case begins. */
export interface Round {
  readonly gameRound: string;
  readonly playerId: string;
  /** A debit with isFirstDebit true. */
  firstDebit(amount: Amount, more?: Members): Transaction;
  /** A debit with isFirstDebit false. */
  followUp(amount: Amount, more?: Members): Transaction;
  credit(amount: Amount, more?: Members): Transaction;
  end(more?: Members): Transaction;
  /** The body of a call with these transactions, in order; `more` replaces members, an undefined one is left out. */
  message(transactions: readonly Transaction[], more?: Partial<Members>): string;
  /** Sends the transactions in one call, signed now. */
  send(...transactions: readonly Transaction[]): Promise<Answer>;
}

/** What a round is made of. */
export interface RoundParts {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly currency: string;
  newHash(): string;
  now(): number;
  /** Signs and sends a body of doTransactions. */
  post(body: string): Promise<Answer>;
}

/** A round; nothing is sent yet. */
export function createRound(parts: RoundParts): Round {
  const { playerId, gameCode, gameRound, currency } = parts;
  const common = (reason: string) => ({
    hash: parts.newHash(),
    timestamp: new Date(parts.now()).toISOString(),
    reason,
  });
  const debit = (isFirstDebit: boolean, amount: Amount, more: Members): Transaction => {
    const money = { currency, amount: exactly(amount) };
    return { type: 'debit', isFirstDebit, ...money, ...common('spin'), ...more };
  };
  const message: Round['message'] = (transactions, more = {}) => {
    const count = transactions.length;
    const all = { playerId, gameCode, gameRound, transactions, transactionCount: count, ...more };
    const present = Object.entries(all).filter(([, value]) => value !== undefined);
    return writeJson(Object.fromEntries(present));
  };
  return {
    gameRound,
    playerId,
    firstDebit: (amount, more = {}) => debit(true, amount, more),
    followUp: (amount, more = {}) => debit(false, amount, more),
    credit: (amount, more = {}) => {
      const money = { currency, amount: exactly(amount) };
      return { type: 'credit', ...money, ...common('win'), ...more };
    },
    end: (more = {}) => ({ type: 'end', ...common('end'), ...more }),
    message,
    send: (...transactions) => parts.post(message(transactions)),
  };
}
