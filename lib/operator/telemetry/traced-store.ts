import type { Span, Spans } from '../../platform/tracing';
import type { RoundChange } from '../gameround';
import type { FollowUp } from '../gameround/follow-up';
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
} from '../wallet';

/** A store of which each load, commit, follow-up and accounts is a span; everything else is passed on. */
export class TracedStore implements WalletStore {
  readonly decimals: number;
  /** Only of a store that has it. */
  readonly follow?: (round: RoundKey, followUp: FollowUp) => Promise<FollowResult>;

  constructor(
    private readonly store: WalletStore,
    private readonly spans: Spans,
  ) {
    this.decimals = store.decimals;
    const follow = store.follow?.bind(store);
    if (follow === undefined) return;
    this.follow = (round, followUp) => this.trace('follow', () => follow(round, followUp));
  }

  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return this.trace('load', () => this.store.load(round, hashes));
  }

  commit(round: RoundKey, change: RoundChange, hashes?: readonly string[]): Promise<CommitResult> {
    return this.trace('commit', () => this.store.commit(round, change, hashes));
  }

  accounts(player: PlayerKey): Promise<AccountsResult> {
    return this.trace('accounts', () => this.store.accounts(player));
  }

  ready(): Promise<void> {
    return this.store.ready();
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

  private trace<T extends { readonly kind: string }>(
    operation: 'load' | 'commit' | 'follow' | 'accounts',
    work: () => Promise<T>,
  ): Promise<T> {
    return this.spans.below(`rgs.store.${operation}`, async (span) => {
      const answer = await work();
      noteResult(span, answer.kind);
      return answer;
    });
  }
}

/** `loaded`, `known` and `committed` are `done`, as in the metrics. */
function noteResult(span: Span, kind: string): void {
  const result = ['stale', 'refused', 'other', 'unknown'].includes(kind) ? kind : 'done';
  span.note({ 'rgs.store.result': result });
  if (result === 'unknown') span.fail(result);
}
