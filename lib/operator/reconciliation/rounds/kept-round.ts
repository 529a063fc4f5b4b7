import { hash } from 'node:crypto';

/** How a round begins: with the ids of which it is kept, and its first event. */
export type FirstEvent = readonly [
  round: string,
  player: string,
  version: number,
  at: number,
  isWhole: 0 | 1,
];

/** What is kept of a round, besides its ids, between two of its events, as JSON. */
export type KeptRound = readonly [
  first: readonly [version: number, at: number, isWhole: 0 | 1],
  version: number,
  state: string,
  game: string | null,
  currency: string | null,
  startedAt: number | null,
  endedAt: number | null,
  sums: readonly [games: 0 | 1, bet: string, win: string],
  isFree: 0 | 1,
  seen: readonly string[],
  debits: readonly (readonly [hash: string, units: string, isFirst?: 1])[],
  unanswered: readonly string[],
  voids: readonly (readonly [at: number, games: 0 | 1, bet: string, win: string])[],
  repairs: readonly (readonly [id: string, at: number, units: string, currency: string])[],
];

/** Eleven characters for a hash, of which one round has few. */
export function shortName(name: string): string {
  return hash('sha256', name, 'base64url').slice(0, 11);
}
