import { createHash } from 'node:crypto';
import type { GameStateEntry, RoundReply } from '../../protocol/engine-api/replies';

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

/**
 * The number of the next call of a kind in a round that another process has played: after the highest that the
 * round shows. So a call that was lost with its process has its id again. Entries that show no id count as used.
 */
export function numbersAfter({
  gameRoundInfo: { hash },
  gameState,
}: RoundReply): (kind: TransactionKind) => number {
  const shown = gameState.map(idOf);
  // The first entry is the first bet, number 1.
  const withoutId = shown.slice(1).filter((id) => id === undefined).length;
  return (kind) => {
    const known = shown.map((id) => numberIn(hash, kind, id));
    return Math.max(withoutId + 1, ...known) + 1;
  };
}

/** The id of the call that made the entry; a spin has only that of its draw (E11.3). */
function idOf({ type, result: { info } }: GameStateEntry): string | undefined {
  const hasTransaction = ['debit', 'genericwin', 'wager'].includes(type);
  return info[hasTransaction ? 'externalGameProviderTransactionId' : 'rngCallId'];
}

/** The number that an id of ours was made of; 0 for any other id. */
function numberIn(gameRound: string, kind: TransactionKind, id = ''): number {
  for (let end = kind.length + 1; end <= id.length; end++) {
    const nth = Number(id.slice(kind.length, end));
    if (transactionIdOf(gameRound, kind, nth) === id) return nth;
  }
  return 0;
}

function tailOf(gameRound: string): string {
  const isHex = /^[0-9a-f]{32}$/.test(gameRound);
  const text = isHex ? gameRound : createHash('sha256').update(gameRound).digest('hex');
  return text.slice(0, tailLength);
}
