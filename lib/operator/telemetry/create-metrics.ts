import { type Clock, systemClock } from '../../platform';
import {
  type DelayReading,
  type EventLoopDelay,
  measureEventLoopDelay,
} from '../../platform/event-loop-delay';
import { checkOptionNames, type OptionNames } from '../../platform/validation/known-names';
import { checkPart } from '../../platform/validation/option-values';
import type { EventListener, OperatorEvent } from '../events';
import { attentionMetrics } from './attention-metrics';
import { CallMetrics } from './call-metrics';
import { eventsMetrics } from './events-metrics';
import { LedgerMetrics } from './ledger-metrics';
import { reconciliationMetrics } from './reconciliation-metrics';
import { type MetricsRecorder, WatchedStores } from './recorder';
import {
  Gauge,
  type Metric,
  type MetricDescription,
  type MetricFamily,
  textContentType,
  writeText,
} from './registry';
import { StoreMetrics } from './store-metrics';

/** Options of {@link createMetrics}. */
export interface MetricsOptions {
  /**
   * Whether the rounds in attention are counted; true unless set. A reading costs the store about a
   * thousand small reads an operator, once in 15 seconds at most, and only on a scrape.
   */
  readonly attention?: boolean;
  readonly clock?: Clock;
}

/** The metrics of a wallet. Labels are fixed or configured: no value of a request becomes one. */
export interface Metrics {
  /** The content type of {@link text}. */
  readonly contentType: string;
  /** The text exposition of Prometheus. Never rejects. */
  text(): Promise<string>;
  /** The same figures, for a bridge to another system. Never rejects. */
  read(): Promise<readonly MetricFamily[]>;
  /** Every metric, in the order of the exposition. */
  readonly descriptions: readonly MetricDescription[];
  /** Stops measuring the event loop. What was counted can still be read. */
  close(): void;
  /** For the parts of the kit that take the option `metrics`. */
  readonly recorder: MetricsRecorder;
}

const optionNames: OptionNames<MetricsOptions> = { attention: true, clock: true };

/**
 * Metrics of a wallet. Give them to `createOperatorRouter` or `createOperatorHandler`, and to the ledger
 * store and the sweeper if there are any, as option `metrics`; one for the whole process.
 * @throws TypeError for wrong options.
 */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  checkOptionNames('createMetrics', options, optionNames);
  const { attention = true, clock = systemClock } = options;
  if (typeof attention !== 'boolean') {
    throw new TypeError('createMetrics: attention must be true or false');
  }
  checkPart('createMetrics: clock', clock, ['now', 'monotonicMs']);
  return new WalletMetrics(attention, clock);
}

class WalletMetrics implements Metrics {
  readonly contentType = textContentType;
  readonly recorder: MetricsRecorder;
  readonly descriptions: readonly MetricDescription[];
  private readonly metrics: readonly Metric[];
  private readonly delay: EventLoopDelay = measureEventLoopDelay();
  private readonly wallets = new WatchedStores();

  constructor(attention: boolean, clock: Clock) {
    const calls = new CallMetrics();
    const store = new StoreMetrics(clock);
    const ledger = new LedgerMetrics();
    this.metrics = [
      ...calls.metrics,
      this.inFlightGauge(),
      ...store.metrics,
      this.lostCommitsGauge(),
      ...(attention ? attentionMetrics(this.wallets, clock) : []),
      ...eventsMetrics(this.wallets, clock),
      ...reconciliationMetrics(this.wallets, clock),
      ...ledger.metrics,
      loopDelayGauge(this.delay, clock),
    ];
    this.descriptions = this.metrics.map(({ name, help, type }) => ({ name, help, type }));
    this.recorder = Object.freeze({
      listener: listenerOf(calls, ledger),
      commitRepeated: (reason) => store.repeated(reason),
      roundShed: (durationMs) => calls.roundShed(durationMs),
      turnEnded: (ms) => calls.turnEnded(ms),
      observe: (observed) => store.observe(observed),
      watchWallet: (wallet) => this.wallets.watch(wallet),
      watchBreaker: (state) => ledger.watchBreaker(state),
    } satisfies MetricsRecorder);
  }

  async text(): Promise<string> {
    return writeText(await this.read());
  }

  read(): Promise<readonly MetricFamily[]> {
    return Promise.all(this.metrics.map(async (metric) => metric.read()));
  }

  close(): void {
    this.delay.stop();
  }

  private inFlightGauge(): Gauge {
    return new Gauge('rgs_wallet_calls_in_flight', 'Calls of the RGS in flight.', () => {
      const wallets = [...this.wallets.all];
      if (wallets.length === 0) return [];
      const value = wallets.reduce((sum, wallet) => sum + wallet.inFlight(), 0);
      return [{ labels: {}, value }];
    });
  }

  private lostCommitsGauge(): Gauge {
    const help = 'Acknowledged commits that a store has found missing after it connected anew.';
    return new Gauge('rgs_wallet_lost_commits', help, () => {
      const stores = [...new Set([...this.wallets.all].map(({ store }) => store))];
      if (stores.length === 0) return [];
      const value = stores.reduce((sum, store) => sum + (store.server?.lostCommits ?? 0), 0);
      return [{ labels: {}, value }];
    });
  }
}

/** Counts each event; wants every call, whatever its level. */
function listenerOf(calls: CallMetrics, ledger: LedgerMetrics): EventListener {
  return Object.freeze({
    wants: isOfCall,
    on: (event: OperatorEvent): void => {
      if (event.kind === 'callAnswered') calls.answered(event);
      else if (event.kind === 'balanceAnswered') calls.balance(event.durationMs);
      else if (event.kind === 'callRefused') calls.refused(event);
      else if (event.kind === 'debitChecked') calls.debitsChecked(event);
      else ledger.on(event);
    },
  });
}

function isOfCall(kind: OperatorEvent['kind']): boolean {
  return kind === 'callAnswered' || kind === 'balanceAnswered' || kind === 'callRefused';
}

/** The shortest window that is shown, in milliseconds: two readers must not halve each other's. */
const windowMs = 10_000;

const none: DelayReading = { p50: 0, p90: 0, p99: 0, max: 0 };

/** How late the event loop was since the reading before; a window of ten seconds at least. */
function loopDelayGauge(delay: EventLoopDelay, clock: Pick<Clock, 'monotonicMs'>): Gauge {
  let shown: DelayReading | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  const help =
    'How late the event loop was since the reading before, by percentile; 100 is the most.';
  return new Gauge('nodejs_eventloop_delay_seconds', help, () => {
    const now = clock.monotonicMs();
    if (shown === null || now - shownAt >= windowMs) {
      shown = delay.read() ?? none;
      shownAt = now;
      delay.reset();
    }
    const { p50, p90, p99, max } = shown;
    return [
      { labels: { percentile: '50' }, value: p50 },
      { labels: { percentile: '90' }, value: p90 },
      { labels: { percentile: '99' }, value: p99 },
      { labels: { percentile: '100' }, value: max },
    ];
  });
}
