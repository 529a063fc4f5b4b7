import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { Answer } from '../../../lib/rgs/settlement/answer';

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
