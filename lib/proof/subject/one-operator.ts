import { createHash } from 'node:crypto';
import type { RoundChange } from '../../operator/gameround';
import {
  type AccountsResult,
  type AttentionEntry,
  type CommitResult,
  createRoundReport,
  type LoadResult,
  type PlayerKey,
  type RoundKey,
  type RoundReport,
  type WalletStore,
} from '../../operator/wallet';
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
export function ofManyOperators(
  wallet: ContractWallet,
  { operatorId, playerId }: OneOperator,
): ContractWallet {
  const names = new PlayerNames((digest) => ({ operatorId, playerId: playerId(digest) }));
  return {
    ...wallet,
    store: new ManyOperatorsStore(wallet.store, names),
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

class ManyOperatorsStore implements WalletStore {
  readonly decimals: number;
  readonly keepsRepairs: boolean;
  readonly follow?: NonNullable<WalletStore['follow']>;

  constructor(
    private readonly store: WalletStore,
    private readonly names: PlayerNames,
  ) {
    this.decimals = store.decimals;
    this.keepsRepairs = store.keepsRepairs === true;
    const follow = store.follow?.bind(store);
    if (follow === undefined) return;
    this.follow = (round, followUp) => follow(names.theirs(round), followUp);
  }

  ready(): Promise<void> {
    return this.store.ready();
  }

  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return this.store.load(this.names.theirs(round), hashes);
  }

  commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    return this.store.commit(this.names.theirs(round), change);
  }

  accounts(player: PlayerKey): Promise<AccountsResult> {
    return this.store.accounts(this.names.theirs(player));
  }

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    for await (const entry of this.store.attention(this.names.operatorOf(operatorId))) {
      const ours = this.names.ours(entry);
      if (ours?.operatorId === operatorId) yield ours;
    }
  }

  async readRound(round: RoundKey): Promise<RoundReport | null> {
    const report = await this.store.readRound(this.names.theirs(round));
    return report === null ? null : createRoundReport(round, report, this.decimals);
  }

  close(): Promise<void> {
    return this.store.close();
  }
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
