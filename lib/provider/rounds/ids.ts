import { createHash } from 'node:crypto';

/** What a transaction of a round is. */
export type TransactionKind = 'bet' | 'win' | 'wager' | 'spin' | 'end' | 'void';

/** Longest externalGameProviderTransactionId (E4.2). */
const longestId = 32;
const tailLength = 24;

/**
 * The transaction id of the nth call of a kind in a round: the same after a crash, so that a repeat is known
 * as one (S2, E15.1). `bet1` and 24 hexadecimal digits of the round.
 */
export function transactionIdOf(gameRound: string, kind: TransactionKind, nth: number): string {
  return `${kind}${nth}${tailOf(gameRound)}`.slice(0, longestId);
}

function tailOf(gameRound: string): string {
  const isHex = /^[0-9a-f]{32}$/.test(gameRound);
  const text = isHex ? gameRound : createHash('sha256').update(gameRound).digest('hex');
  return text.slice(0, tailLength);
}
