import type { HashEntry } from '../../../gameround';
import type { RoundSnapshot } from '../../../wallet';
import { decodeHead } from './head';
import { decodeAccounts, decodeEntry } from './record';

/** A reply of load.lua. */
export type LoadReply = readonly [
  head: string | null,
  gameCode: string | null,
  accounts: readonly string[],
  values: readonly (string | null)[],
  pending: string | null,
];

/** What load.lua replies for these hashes. */
export function decodeSnapshot(reply: LoadReply, hashes: readonly string[]): RoundSnapshot {
  const [head, gameCode, accounts, values, pending] = reply;
  const entries = new Map<string, HashEntry>();
  for (const [index, hash] of hashes.entries()) {
    const entry = decodeEntry(values[index * 2] ?? null, values[index * 2 + 1] ?? null);
    if (entry !== null) entries.set(hash, entry);
  }
  return {
    head: decodeHead(head, gameCode, pending ?? null),
    entries,
    accounts: decodeAccounts(accounts),
  };
}
