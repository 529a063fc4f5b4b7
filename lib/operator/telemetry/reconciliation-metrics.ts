import type { Clock } from '../../platform';
import { foundKinds, readSavedDay } from '../reconciliation/saved/day';
import type { KeptReconciliation } from '../wallet';
import { Counter, Gauge, KeptReading, type Metric, type Reading } from './registry';
import type { WatchedStores } from './recorder';

/** So many of the newest days that were saved are watched: a later run of a day takes its differences back. */
const watchedDays = 7;

/** Labels: what another version of the kit has saved is not dropped, but counts as `other`. */
const kindsShown = [...foundKinds, 'other'] as const;

type Kinds = Record<(typeof kindsShown)[number], number>;

/** What is said of one operator. */
interface Watched {
  readonly operator: string;
  readonly kinds: Readonly<Kinds>;
  /** When the newest day that was compared ended; if none was, when the oldest one began. In milliseconds since 1970. */
  readonly since: number;
}

/** The results of `rgs-wallet reconcile --save`; nothing for an operator of whom none is kept. */
export function reconciliationMetrics(stores: WatchedStores, clock: Clock): readonly Metric[] {
  const failures = new Counter(
    'rgs_wallet_reconciliation_read_failures_total',
    'Times that the saved reconciliations could not be read.',
  );
  const kept = new KeptReading(
    clock,
    () => readAll(stores),
    () => failures.at().add(),
  );
  const readings = async (of: (one: Watched) => readonly Reading[]): Promise<readonly Reading[]> =>
    ((await kept.latest()) ?? []).flatMap(of);
  return [
    new Gauge(
      'rgs_wallet_reconciliation_differences',
      'Differences between the wallet and the RGS on the newest seven days that were saved, by operator and kind.',
      () =>
        readings(({ operator, kinds }) =>
          kindsShown.map((kind) => ({ labels: { operator, kind }, value: kinds[kind] })),
        ),
    ),
    new Gauge(
      'rgs_wallet_reconciliation_age_seconds',
      'Time since the end of the newest day that was compared with the RGS.',
      () =>
        readings(({ operator, since }) => [
          { labels: { operator }, value: Math.max(clock.now() - since, 0) / 1000 },
        ]),
    ),
    failures,
  ];
}

/** @throws what a store throws. */
async function readAll(stores: WatchedStores): Promise<readonly Watched[]> {
  const all: Watched[] = [];
  for (const [store, operator] of stores.operators()) {
    const entries = await store.reconciliations?.list(operator, { days: watchedDays });
    if (entries !== undefined && entries.length > 0) all.push(watchedOf(operator, entries));
  }
  return all;
}

function watchedOf(operator: string, entries: readonly KeptReconciliation[]): Watched {
  const kinds = Object.fromEntries(kindsShown.map((kind) => [kind, 0])) as Kinds;
  const ends: number[] = [];
  for (const { text } of entries) {
    const saved = readSavedDay(text);
    const found = saved === null ? { other: 1 } : saved.kinds;
    for (const [name, number] of Object.entries(found)) {
      kinds[foundKinds.find((kind) => kind === name) ?? 'other'] += number;
    }
    if (saved !== null && saved.endedAt !== null) ends.push(Date.parse(saved.endedAt));
  }
  const began = entries.map(({ day }) => Date.parse(`${day}T00:00:00Z`));
  return { operator, kinds, since: ends.length > 0 ? Math.max(...ends) : Math.min(...began) };
}
