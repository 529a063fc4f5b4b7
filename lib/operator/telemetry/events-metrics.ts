import type { Clock } from '../../platform';
import { Counter, Gauge, KeptReading, type Metric, type Reading } from './registry';
import type { WatchedStores } from './recorder';

/** The lag of one consumer in the events of an operator. */
interface Lag {
  readonly operator: string;
  readonly consumer: string;
  readonly waiting: number;
  readonly oldestAt: number | null;
}

/** The lag of the declared consumers of events; nothing if the stores have no events. */
export function eventsMetrics(stores: WatchedStores, clock: Clock): readonly Metric[] {
  const failures = new Counter(
    'rgs_wallet_events_read_failures_total',
    'Times that the lag of the consumers of events could not be read.',
  );
  const kept = new KeptReading(
    clock,
    () => readAll(stores),
    () => failures.at().add(),
  );
  const readings = async (of: (lag: Lag) => number): Promise<readonly Reading[]> => {
    const found = (await kept.latest()) ?? [];
    return found.map((lag) => {
      const { operator, consumer } = lag;
      return { labels: { operator, consumer }, value: of(lag) };
    });
  };
  return [
    new Gauge(
      'rgs_wallet_events_lag',
      'Events that a consumer has not acknowledged, by operator and consumer.',
      () => readings(({ waiting }) => waiting),
    ),
    new Gauge(
      'rgs_wallet_events_oldest_seconds',
      'Age of the oldest event that a consumer has not acknowledged; 0 without one.',
      () =>
        readings(({ oldestAt }) =>
          oldestAt === null ? 0 : Math.max(clock.now() - oldestAt, 0) / 1000,
        ),
    ),
    failures,
  ];
}

/** @throws what a store throws. */
async function readAll(stores: WatchedStores): Promise<readonly Lag[]> {
  const all: Lag[] = [];
  for (const [store, operator] of stores.operators()) {
    const lags = await store.events?.lag(operator);
    for (const lag of lags ?? []) all.push({ operator, ...lag });
  }
  return all;
}
