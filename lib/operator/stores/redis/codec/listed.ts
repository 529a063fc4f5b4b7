import type { HashEntry, RoundView } from '../../../gameround';
import type { RoundKey } from '../../../wallet';
import { hashOfField } from './hash-fields';
import { decodeHead } from './head';
import { decodeTransaction } from './record';

/** A round as read-heads.lua replies it: unseen if nothing is stored; its only entries are refused credits. */
export interface ListedRound extends RoundView {
  readonly round: RoundKey;
}

/** The rounds of a reply of read-heads.lua. */
export function readListed(rounds: readonly RoundKey[], reply: unknown): ListedRound[] {
  const replies = reply as [string | null, string | null, string | null, string[]][];
  return rounds.map((round, index) => {
    const [text, gameCode, pending, credits] = replies[index] ?? [null, null, null, []];
    const entries = new Map<string, HashEntry>();
    for (let at = 0; at < credits.length; at += 2) {
      const hash = hashOfField(credits[at] ?? '', round.gameRound) ?? '';
      entries.set(hash, { transaction: decodeTransaction(credits[at + 1] ?? '') });
    }
    return { round, head: decodeHead(text, gameCode, pending), entries };
  });
}
