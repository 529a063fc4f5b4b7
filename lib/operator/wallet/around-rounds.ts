import type { RoundChange } from '../gameround';
import type { Rounds } from './store';
import type { Unknown } from './store-errors';

/** What is wrapped: `readRound` is for people, and passed on. */
export type RoundsOperation = 'load' | 'commit' | 'follow' | 'accounts';

/** What a commit or a follow-up writes. */
export type Written = Pick<RoundChange, 'records' | 'movements'>;

/** Does the work of one operation; `written` is there for a commit and a follow-up. */
export type Around = <T extends { readonly kind: string }>(
  operation: RoundsOperation,
  work: () => Promise<T>,
  written?: Written,
) => Promise<T | Unknown>;

/** The same rounds, with something done around each operation. */
export function aroundRounds(rounds: Rounds, around: Around): Rounds {
  const follow = rounds.follow?.bind(rounds);
  return {
    load: (round, hashes) => around('load', () => rounds.load(round, hashes)),
    commit: (round, change, hashes) =>
      around('commit', () => rounds.commit(round, change, hashes), change),
    follow:
      follow && ((round, followUp) => around('follow', () => follow(round, followUp), followUp)),
    accounts: (player) => around('accounts', () => rounds.accounts(player)),
    readRound: (round) => rounds.readRound(round),
  };
}
