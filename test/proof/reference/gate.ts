import type { CommitResult, LoadResult, WalletStore } from '../../../lib/operator/wallet';

/** What stands between a call and its store, so that something can happen between two of its commits. */
export interface Gate {
  readonly around: (store: WalletStore) => WalletStore;
  /** After so many commits from now on, `act` is done before anything else. */
  readonly after: (commits: number, act: () => Promise<void>) => void;
  /** Whether the store is silent. */
  readonly setSilent: (isSilent: boolean) => void;
  /** Drops the pending act, if it has not run yet. Returns whether there was one. */
  readonly disarm: () => boolean;
}

const silence = { kind: 'unknown', cause: new Error('The store is silent.') } as const;

/** A gate that is open. */
export function createGate(): Gate {
  let isSilent = false;
  let left = 0;
  let armed: (() => Promise<void>) | null = null;
  const actIfDue = async (): Promise<void> => {
    left -= 1;
    if (left !== 0 || armed === null) return;
    const act = armed;
    armed = null;
    await act();
  };
  return {
    around: (store) => ({
      decimals: store.decimals,
      unit: store.unit,
      ready: () => store.ready(),
      lists: store.lists,
      rounds: {
        load: async (round, hashes): Promise<LoadResult> =>
          isSilent ? silence : store.rounds.load(round, hashes),
        commit: async (round, change): Promise<CommitResult> => {
          if (isSilent) return silence;
          const result = await store.rounds.commit(round, change);
          if (result.kind === 'committed') await actIfDue();
          return result;
        },
        accounts: (player) => store.rounds.accounts(player),
        readRound: (round) => store.rounds.readRound(round),
      },
      close: () => store.close(),
    }),
    after: (commits, act) => {
      left = commits;
      armed = act;
    },
    setSilent: (value) => {
      isSilent = value;
    },
    disarm: () => {
      const wasArmed = armed !== null;
      armed = null;
      return wasArmed;
    },
  };
}
