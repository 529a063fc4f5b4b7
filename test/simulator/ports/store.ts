import type { RoundChange } from '../../../lib/operator/gameround';
import type {
  AccountsResult,
  AccountStore,
  CommitResult,
  FollowResult,
  LoadResult,
  PlayerKey,
  RoundJournal,
  RoundKey,
  Rounds,
  Unknown,
  WalletStore,
} from '../../../lib/operator/wallet';
import type { Purses } from '../oracles/purses';
import type { Lifetime } from '../world/lifetime';
import { exchange } from './exchange';

/** Whose money a command moves; null where nobody watches it. */
export type PurseOf = (player: PlayerKey) => Purses | null;

/** Looks at what the store has done to a round, right after it. */
export type Look = (round: RoundKey) => Promise<void>;

/** Where nobody looks. */
export const lookAway: Look = async () => {};

/**
 * A store as one process reaches it: slow, silent, in doubt, doing things twice. With `purseOf` it keeps
 * the money, and each commit shows in the player's purse what the store has then.
 */
export function farStore(
  store: AccountStore,
  lifetime: Lifetime,
  purseOf: PurseOf | null,
  look: Look = lookAway,
): WalletStore & RoundJournal {
  const ask = <T>(key: RoundKey, what: string, work: () => Promise<T>): Promise<T | Unknown> => {
    const purse = what === 'load' || what === 'accounts' ? null : (purseOf?.(key) ?? null);
    return exchange<T | Unknown>({
      lifetime,
      name: key.gameRound ?? key.playerId,
      what,
      work,
      keepsMoney: purseOf !== null,
      unknown,
      enter: () => purse?.enter(),
      leave: () => purse?.leave(),
    });
  };
  const follow = store.rounds.follow?.bind(store.rounds);
  const { decimals, unit, lists, repairs } = store;
  const rounds: Rounds = {
    load: (round, hashes): Promise<LoadResult> =>
      ask(round, 'load', () => store.rounds.load(round, hashes)),
    commit: (round, change, hashes): Promise<CommitResult> =>
      ask(round, 'commit', async () => {
        const result = await store.rounds.commit(round, change, hashes);
        if (result.kind === 'committed') see(purseOf?.(round) ?? null, result, isDebit(change));
        await look(round);
        return result;
      }),
    follow:
      follow &&
      ((round, followUp): Promise<FollowResult> =>
        ask(round, 'follow', async () => {
          const result = await follow(round, followUp);
          if (result.kind === 'committed') see(purseOf?.(round) ?? null, result, isDebit(followUp));
          await look(round);
          return result;
        })),
    accounts: (player): Promise<AccountsResult> =>
      ask(player as RoundKey, 'accounts', () => store.rounds.accounts(player)),
    readRound: (round) => store.rounds.readRound(round),
  };
  return {
    decimals,
    unit,
    rounds,
    lists,
    repairs,
    ready: () => store.ready(),
    close: async () => {},
  };
}

const silence: Unknown = Object.freeze({
  kind: 'unknown',
  cause: new Error('The store is silent.'),
});

function unknown(): Unknown {
  return silence;
}

function see(
  purse: Purses | null,
  { accounts }: Extract<CommitResult, { kind: 'committed' }>,
  isTaken: boolean,
): void {
  purse?.see(accounts, isTaken);
}

/** Whether a change takes a stake and takes nothing back: then it makes no balance less than zero. */
function isDebit({ movements }: Pick<RoundChange, 'movements'>): boolean {
  const isStake = movements.some((movement) => movement.kind === 'take' && movement.amount > 0n);
  return isStake && movements.every(({ kind }) => kind !== 'reverse');
}
