import type { Clock } from '../../platform';
import { aroundRounds, type CommitRepeat, type Rounds } from '../wallet';
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

  /** The same rounds, timed: `loaded`, `known` and `committed` are `done`. */
  observe(rounds: Rounds): Rounds {
    const { clock, ofOperation } = this;
    return aroundRounds(rounds, async (operation, work) => {
      const startedAt = clock.monotonicMs();
      let result = 'failed';
      try {
        const answer = await work();
        result = answer.kind;
        return answer;
      } finally {
        const series = ofOperation[operation];
        const durations = series.get(result) ?? series.get('done');
        durations?.observe(clock.monotonicMs() - startedAt);
      }
    });
  }
}

function resultsOf(operation: (typeof operations)[number]): readonly string[] {
  if (operation === 'commit') return commitResults;
  return operation === 'follow' ? followResults : usualResults;
}
