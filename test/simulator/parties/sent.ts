import type { Transaction } from '../../../lib/protocol/operator-api';
import type { Answer } from '../../../lib/rgs/settlement/answer';
import type { Item } from '../plan/types';

/** A transaction as it is sent, in the currency of the round unless it has its own. */
export function toTransaction(item: Item, ofRound: string): Transaction {
  const { currency = ofRound } = item;
  const { type, hash, amount: units, first, serial: play, discount: less = 0 } = item;
  const [amount, serial, discount] = [BigInt(units), play ?? null, BigInt(less)];
  switch (type) {
    case 'debit':
      return { type, hash, currency, amount, discount, isFirstDebit: first === true, serial };
    case 'credit':
      return { type, hash, currency, amount, serial };
    case 'end':
      return { type, hash };
  }
}

/** A void of a debit, as it is sent. */
export function toVoid({
  hash,
  amount,
  currency,
}: {
  readonly hash: string;
  readonly amount: number;
  readonly currency: string;
}): Transaction {
  return { type: 'void', hash, amount: BigInt(amount), currency };
}

/** What the trace is a hash of: what was sent, and what was answered. */
export function wordsOf(
  round: string,
  transactions: readonly Transaction[],
  answer: Answer,
): (string | number)[] {
  const words: (string | number)[] = [round];
  for (const one of transactions) {
    words.push(one.type, one.hash, 'amount' in one ? Number(one.amount) : -1);
  }
  if (answer.kind !== 'reply') {
    words.push(answer.kind);
    return words;
  }
  words.push(answer.status);
  for (const { error } of answer.body?.hashesProcessed ?? []) words.push(error?.id ?? 0);
  return words;
}

/** The same for a line. */
export function textOf(transactions: readonly Transaction[]): string {
  const texts = transactions.map((one) => {
    return `${one.type} ${one.hash}${'amount' in one ? ` ${one.amount}` : ''}`;
  });
  return `[${texts.join(', ')}]`;
}

/** An answer for a line. */
export function replyText(answer: Answer): string {
  if (answer.kind !== 'reply') return answer.kind;
  const listed = answer.body?.hashesProcessed ?? [];
  return `${answer.status} ${listed.map(({ error }) => error?.id ?? 'ok').join(' ')}`;
}
