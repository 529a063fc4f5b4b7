import type { OperatorEvent } from '../events';
import { type BreakerState, breakerStates } from './recorder';
import { type Count, Counter, Gauge, type Metric } from './registry';

const methods = ['debit', 'credit', 'reverse', 'balances'] as const;

/** What is counted of the platform's own ledger, and of the sweeper that finishes its pending work. */
export class LedgerMetrics {
  readonly metrics: readonly Metric[];
  private readonly breakers = new Set<() => BreakerState>();
  private readonly failures: ReadonlyMap<string, Count>;
  private readonly reversalsRefused: Count;
  private readonly swept: { readonly settled: Count; readonly failed: Count };
  private readonly sweepsFailed: Count;
  private waiting: number | null = null;

  constructor() {
    const failures = new Counter(
      'rgs_wallet_ledger_failures_total',
      'Attempts at the ledger without an answer, by method.',
      methods.map((method) => ({ method })),
    );
    const reversals = new Counter(
      'rgs_wallet_ledger_reversals_refused_total',
      'Reversals that the ledger refused: they stay pending.',
    );
    const swept = new Counter(
      'rgs_wallet_sweeper_rounds_total',
      'Rounds that the sweeper finished, and those that failed and will be tried again.',
      [{ result: 'settled' }, { result: 'failed' }],
    );
    const sweeps = new Counter(
      'rgs_wallet_sweep_failures_total',
      'Sweeps that could not list the unfinished rounds of an operator.',
    );
    this.metrics = [this.breakerGauge(), failures, reversals, swept, this.waitingGauge(), sweeps];
    this.failures = new Map(methods.map((method) => [method, failures.at({ method })]));
    this.reversalsRefused = reversals.at();
    this.swept = {
      settled: swept.at({ result: 'settled' }),
      failed: swept.at({ result: 'failed' }),
    };
    this.sweepsFailed = sweeps.at();
  }

  /** Counts an event of the ledger or of the sweeper. */
  on(event: OperatorEvent): void {
    switch (event.kind) {
      case 'ledgerAttempt':
        return this.failures.get(event.method)?.add();
      case 'reversalRefused':
        return this.reversalsRefused.add();
      case 'sweepDone':
        this.swept.settled.add(event.settled);
        this.swept.failed.add(event.failed);
        this.waiting = event.waiting;
        return;
      case 'sweepFailed':
        return this.sweepsFailed.add();
      default:
    }
  }

  /** Reads this circuit breaker from now on, until the returned function is called. */
  watchBreaker(state: () => BreakerState): () => void {
    this.breakers.add(state);
    return () => void this.breakers.delete(state);
  }

  private breakerGauge(): Gauge {
    const help = 'Circuit breakers in front of a ledger, by state; open: calls are unknown (D7).';
    return new Gauge('rgs_wallet_ledger_breaker', help, () => {
      if (this.breakers.size === 0) return [];
      const states = [...this.breakers].map((state) => state());
      return breakerStates.map((state) => {
        return { labels: { state }, value: states.filter((each) => each === state).length };
      });
    });
  }

  private waitingGauge(): Gauge {
    const help =
      'Rounds that the last sweep left for later: too young, or failed a short while ago.';
    return new Gauge('rgs_wallet_sweeper_rounds_waiting', help, () =>
      this.waiting === null ? [] : [{ labels: {}, value: this.waiting }],
    );
  }
}
