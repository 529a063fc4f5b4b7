import type { RoundChange } from '../../operator/gameround';
import type {
  AccountsResult,
  AttentionEntry,
  CommitResult,
  LoadResult,
  PlayerKey,
  RoundKey,
  RoundReport,
  WalletStore,
} from '../../operator/wallet';

/**
 * A store that passes every call through to another one, and records the changes that were answered as
 * committed, in that order. A change whose commit was answered `unknown` is not recorded.
 */
export class CommitRecorder implements WalletStore {
  readonly decimals: number;
  private readonly recorded: RoundChange[] = [];

  constructor(private readonly store: WalletStore) {
    this.decimals = store.decimals;
  }

  /** The recorded changes. */
  get commits(): readonly RoundChange[] {
    return this.recorded;
  }

  async commit(round: RoundKey, change: RoundChange): Promise<CommitResult> {
    const result = await this.store.commit(round, change);
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
