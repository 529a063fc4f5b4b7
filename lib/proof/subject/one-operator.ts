import { createHash } from 'node:crypto';
import { createRoundReport, type PlayerKey, type WalletStore } from '../../operator/wallet';
import {
  type ContractPlayers,
  type ContractWallet,
  type OneOperator,
  type ContractStoreOptions,
  type CreateContractStore,
  toContractWallet,
} from './players';

/**
 * The wallet of a platform without operators, as a suite sees it: players of its many operators are different players of
 * the platform's one.
 */
function ofManyOperators(
  wallet: ContractWallet,
  { operatorId, playerId }: OneOperator,
): ContractWallet {
  const names = new PlayerNames((digest) => ({ operatorId, playerId: playerId(digest) }));
  return {
    ...wallet,
    store: storeOf(wallet.store, names),
    players: playersOf(wallet.players, names),
  };
}

/** A player of the platform for each player of a suite, always the same one. */
class PlayerNames {
  private readonly suites = new Map<string, PlayerKey>();

  constructor(private readonly nameOf: (digest: string) => PlayerKey) {}

  /** The platform's player in place of the suite's, all else as it was. */
  theirs<K extends PlayerKey>(key: K): K {
    const { operatorId, playerId } = key;
    const text = JSON.stringify([operatorId, playerId]);
    const own = this.nameOf(createHash('sha256').update(text).digest('hex'));
    this.suites.set(own.playerId, { operatorId, playerId });
    return { ...key, ...own };
  }

  operatorOf(operatorId: string): string {
    return this.theirs({ operatorId, playerId: '' }).operatorId;
  }

  /** The suite's player in place of the platform's; null for one that is not of this run. */
  ours<K extends PlayerKey>(key: K): K | null {
    const player = this.suites.get(key.playerId);
    return player === undefined ? null : { ...key, ...player };
  }
}

/** Its rounds, lists and repairs are those of the suite's players; it has no other part. */
function storeOf(store: WalletStore, names: PlayerNames): WalletStore {
  const { decimals, unit, rounds, repairs } = store;
  const follow = rounds.follow?.bind(rounds);
  return {
    decimals,
    unit,
    rounds: {
      load: (round, hashes) => rounds.load(names.theirs(round), hashes),
      commit: (round, change) => rounds.commit(names.theirs(round), change),
      follow: follow && ((round, followUp) => follow(names.theirs(round), followUp)),
      accounts: (player) => rounds.accounts(names.theirs(player)),
      async readRound(round) {
        const report = await rounds.readRound(names.theirs(round));
        return report === null ? null : createRoundReport(round, report, decimals);
      },
    },
    lists: {
      async *attention(operatorId) {
        for await (const entry of store.lists.attention(names.operatorOf(operatorId))) {
          const ours = names.ours(entry);
          if (ours?.operatorId === operatorId) yield ours;
        }
      },
    },
    repairs,
    ready: () => store.ready(),
    close: () => store.close(),
  };
}

function playersOf(players: ContractPlayers, names: PlayerNames): ContractPlayers {
  return {
    openPlayer: (player) => players.openPlayer(names.theirs(player)),
    deposit: (order) => players.deposit(names.theirs(order)),
    withdraw: (order) => players.withdraw(names.theirs(order)),
    setBlocked: (player, blocked) => players.setBlocked(names.theirs(player), blocked),
    ...(players.moved === undefined
      ? {}
      : { moved: async (player) => (await players.moved?.(names.theirs(player))) ?? [] }),
  };
}

/** The wallet of a suite, ready. */
export async function makeContractWallet(
  createStore: CreateContractStore,
  options: ContractStoreOptions,
): Promise<ContractWallet> {
  const wallet = toContractWallet(await createStore(options));
  await wallet.store.ready();
  const { oneOperator } = wallet;
  return oneOperator === undefined ? wallet : ofManyOperators(wallet, oneOperator);
}
