import type { Unknown, AccountStore } from '../../operator/wallet';

/** A store that can fall silent. */
export interface SilentStore {
  readonly store: AccountStore;
  /** From now on it does its work, but its answers do not arrive. */
  fallSilent(): void;
  /** Its answers arrive again. */
  speak(): void;
}

/** Wraps a store like a network that breaks behind the request. */
export function createSilentStore(store: AccountStore): SilentStore {
  let isSilent = false;
  const unlessSilent = async <T>(work: Promise<T>): Promise<T | Unknown> => {
    const result = await work;
    return isSilent ? { kind: 'unknown', cause: new Error('The store is silent.') } : result;
  };
  return {
    store: {
      decimals: store.decimals,
      ready: () => store.ready(),
      load: (round, hashes) => unlessSilent(store.load(round, hashes)),
      commit: (round, change) => unlessSilent(store.commit(round, change)),
      accounts: (player) => unlessSilent(store.accounts(player)),
      openPlayer: (player) => unlessSilent(store.openPlayer(player)),
      deposit: (order) => unlessSilent(store.deposit(order)),
      withdraw: (order) => unlessSilent(store.withdraw(order)),
      setBlocked: (player, blocked) => unlessSilent(store.setBlocked(player, blocked)),
      readPlayer: (player) => unlessSilent(store.readPlayer(player)),
      attention: (operatorId) => store.attention(operatorId),
      unfinished: (operatorId) => store.unfinished(operatorId),
      readRound: (round) => store.readRound(round),
      close: () => store.close(),
    },
    fallSilent: () => {
      isSilent = true;
    },
    speak: () => {
      isSilent = false;
    },
  };
}
