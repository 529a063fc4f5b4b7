import type { Transaction } from '../../protocol/operator-api';
import type { HistoryAction } from './action';
import type { PlayerBook } from './player';

/** A call of the RGS in a history. */
export interface CallOrder {
  readonly player: number;
  readonly round: number;
  readonly transactions: readonly Transaction[];
  /** Set if the answer is lost: whether the call arrives nevertheless. */
  readonly lost?: { readonly arrives: boolean };
}

/** The call of an action, if it is one. */
export function callOf(action: HistoryAction): CallOrder[] {
  if (action.kind === 'call') return [action];
  if (action.kind !== 'lostCall') return [];
  const { player, round, debits, arrives } = action;
  return [{ player, round, transactions: debits, lost: { arrives } }];
}

/** The call, or part of one, that an action resends. */
export function resendOf(action: HistoryAction, sent: readonly CallOrder[]): CallOrder[] {
  if (action.kind !== 'resend') return [];
  const order = sent[action.call % Math.max(1, sent.length)];
  if (order === undefined) return [];
  const from = action.from % order.transactions.length;
  return [{ ...order, transactions: order.transactions.slice(from, from + action.count) }];
}

/** The player affected by an action other than a call. */
export function playerOfOther(action: HistoryAction): number[] {
  const isCall = action.kind === 'call' || action.kind === 'lostCall';
  return isCall || action.kind === 'resend' ? [] : [action.player];
}

/** A void for each debit whose answer was lost, as the RGS sends them (D7). */
export function voidsOfLost(books: readonly PlayerBook[]): CallOrder[] {
  return books.flatMap((book, player) =>
    book.numbers.flatMap((round) => {
      const hashes = book.round(round).unresolved;
      const transactions = hashes.map((hash) => {
        return { type: 'void', hash, amount: null, currency: null } as const;
      });
      return transactions.length > 0 ? [{ player, round, transactions }] : [];
    }),
  );
}
