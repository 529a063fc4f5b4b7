import type { Clock } from '../../platform';
import type { RoundChange } from '../gameround';
import type { FollowUp } from '../gameround/follow-up';
import type {
  AccountsResult,
  AttentionEntry,
  CommitRepeat,
  CommitResult,
  FollowResult,
  LoadResult,
  PlayerKey,
  RoundKey,
  RoundReport,
  WalletStore,
} from '../wallet';
import { type Count, Counter, type Durations, Histogram, type Metric } from './registry';

const operations = ['load', 'commit', 'follow', 'accounts'] as const;
const usualResults = ['done', 'unknown', 'failed'] as const;
const commitResults = ['done', 'stale', 'refused', 'unknown', 'failed'] as const;
const followResults = ['done', 'other', 'unknown', 'failed'] as const;
const reasons = ['stale', 'refused', 'unknown'] as const;

/** The series of one operation, by what the store answers. */
type ByKind = ReadonlyMap<string, Durations>;
type DurationsOf = Readonly<Record<(typeof operations)[number], ByKind>>;

/** What is counted of the wallet's store. */
export class StoreMetrics {
  readonly metrics: readonly Metric[];
  private readonly ofOperation: DurationsOf;
  private readonly repeats: ReadonlyMap<string, Count>;

  constructor(private readonly clock: Pick<Clock, 'monotonicMs'>) {
    const durations = new Histogram(
      'rgs_wallet_store_operation_duration_seconds',
      'Duration of the operations of the store, by result; failed: the store threw.',
      operations.flatMap((operation) =>
        resultsOf(operation).map((result) => ({ operation, result })),
      ),
    );
    const repeats = new Counter(
      'rgs_wallet_commit_repeats_total',
      'Steps of a call that were decided and committed again, by the answer to the commit before.',
      reasons.map((reason) => ({ reason })),
    );
    this.metrics = [durations, repeats];
    const seriesOf = (operation: (typeof operations)[number]) =>
      new Map(resultsOf(operation).map((result) => [result, durations.at({ operation, result })]));
    this.ofOperation = {
      load: seriesOf('load'),
      commit: seriesOf('commit'),
      follow: seriesOf('follow'),
      accounts: seriesOf('accounts'),
    };
    this.repeats = new Map(reasons.map((reason) => [reason, repeats.at({ reason })]));
  }

  /** A step is committed again. */
  repeated(reason: CommitRepeat): void {
    this.repeats.get(reason)?.add();
  }

  /** The same store, timed. */
  observe(store: WalletStore): WalletStore {
    return new ObservedStore(store, this.clock, this.ofOperation);
  }
}

function resultsOf(operation: (typeof operations)[number]): readonly string[] {
  if (operation === 'commit') return commitResults;
  return operation === 'follow' ? followResults : usualResults;
}

/** A store whose loads, commits, follow-ups and accounts are timed; everything else is passed on. */
class ObservedStore implements WalletStore {
  readonly decimals: number;
  /** Only of a store that has it. */
  readonly follow?: (round: RoundKey, followUp: FollowUp) => Promise<FollowResult>;

  constructor(
    private readonly store: WalletStore,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly durations: DurationsOf,
  ) {
    this.decimals = store.decimals;
    const follow = store.follow?.bind(store);
    if (follow === undefined) return;
    this.follow = (round, followUp) =>
      this.time(this.durations.follow, () => follow(round, followUp));
  }

  load(round: RoundKey, hashes: readonly string[]): Promise<LoadResult> {
    return this.time(this.durations.load, () => this.store.load(round, hashes));
  }

  commit(round: RoundKey, change: RoundChange, hashes?: readonly string[]): Promise<CommitResult> {
    return this.time(this.durations.commit, () => this.store.commit(round, change, hashes));
  }

  accounts(player: PlayerKey): Promise<AccountsResult> {
    return this.time(this.durations.accounts, () => this.store.accounts(player));
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

  /** `loaded`, `known` and `committed` are `done`. */
  private async time<T extends { readonly kind: string }>(
    series: ByKind,
    work: () => Promise<T>,
  ): Promise<T> {
    const startedAt = this.clock.monotonicMs();
    let result = 'failed';
    try {
      const answer = await work();
      result = answer.kind;
      return answer;
    } finally {
      const durations = series.get(result) ?? series.get('done');
      durations?.observe(this.clock.monotonicMs() - startedAt);
    }
  }
}
