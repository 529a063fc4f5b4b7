import type { RoundHead, TransactionRecord } from '../../../gameround';
import type { RoundKey } from '../../../wallet';
import { decodeHead } from './head';
import { decodeTransaction } from './record';

/** A round as read-heads.lua replies it; unseen if nothing is stored. */
export interface ListedRound {
  readonly round: RoundKey;
  readonly head: RoundHead;
  /** Those that were not accepted. */
  readonly credits: readonly TransactionRecord[];
}

/** The rounds of a reply of read-heads.lua. */
export function readListed(rounds: readonly RoundKey[], reply: unknown): ListedRound[] {
  const replies = reply as [string | null, string | null, string | null, string[]][];
  return rounds.map((round, index) => {
    const [text, gameCode, pending, credits] = replies[index] ?? [null, null, null, []];
    const head = decodeHead(text, gameCode, pending);
    return { round, head, credits: credits.map(decodeTransaction) };
  });
}
