import type { RoundChange } from '../../operator/gameround';
import type { FollowUp } from '../../operator/gameround/follow-up';
import type {
  AccountsResult,
  AttentionEntry,
  CommitResult,
  FollowResult,
  LoadResult,
  PlayerKey,
  RoundKey,
  RoundReport,
  WalletStore,
} from '../../operator/wallet';

/** What was written at once: a change, or what was added to a running round. */
export type Written = Pick<RoundChange, 'records' | 'movements'>;

/**
 * A store that passes every call through to another one, and records the changes that were answered as
 * committed, in that order. A change whose commit was answered `unknown` is not recorded.
 */
export class CommitRecorder implements WalletStore {
  readonly decimals: number;
  private readonly recorded: Written[] = [];
  /** Only of a store that has it. */
  readonly follow?: (round: RoundKey, followUp: FollowUp) => Promise<FollowResult>;

  constructor(private readonly store: WalletStore) {
    this.decimals = store.decimals;
    const follow = store.follow?.bind(store);
    if (follow === undefined) return;
    this.follow = async (round, followUp) => {
      const result = await follow(round, followUp);
      if (result.kind === 'committed') this.recorded.push(followUp);
      return result;
    };
  }

  /** The recorded changes. */
  get commits(): readonly Written[] {
    return this.recorded;
  }

  async commit(
    round: RoundKey,
    change: RoundChange,
    hashes?: readonly string[],
  ): Promise<CommitResult> {
    const result = await this.store.commit(round, change, hashes);
    if (result.kind === 'committed') this.recorded.push(change);
    return result;
  }

  ready(): Promise<void> {
    return this.store.ready();
  }

  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return this.store.load(round, hashes);
  }

  accounts(player: PlayerKey): Promise<AccountsResult> {
    return this.store.accounts(player);
  }

  attention(operatorId: string): AsyncIterable<AttentionEntry> {
    return this.store.attention(operatorId);
  }

  readRound(round: RoundKey): Promise<RoundReport | null> {
    return this.store.readRound(round);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
