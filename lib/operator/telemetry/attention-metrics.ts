import type { Clock } from '../../platform';
import type { RoundLists } from '../wallet';
import { Counter, Gauge, KeptReading, type Metric, type Reading } from './registry';
import type { WatchedStores } from './recorder';

/** States that a person should look at. */
const states = ['cancelled', 'stranded', 'crashed'] as const;

/** Most rounds that are counted of an operator: the list of a great outage must not stop the wallet. */
const maxRounds = 100_000;

/** Rounds of one operator in one state. */
interface Waiting {
  readonly operator: string;
  readonly state: string;
  readonly rounds: number;
  /** Start of the oldest, in milliseconds since 1970; null if none waits or the store does not say. */
  readonly since: number | null;
}

/** The rounds that a person should look at, from every store of the mounted wallets. */
export function attentionMetrics(stores: WatchedStores, clock: Clock): readonly Metric[] {
  const failures = new Counter(
    'rgs_wallet_attention_read_failures_total',
    'Times that the list of rounds in attention could not be read.',
  );
  const kept = new KeptReading(
    clock,
    () => readAll(stores),
    () => failures.at().add(),
  );
  const readings = async (of: (waiting: Waiting) => number | null): Promise<readonly Reading[]> => {
    const found = (await kept.latest()) ?? [];
    return found.flatMap((waiting) => {
      const { operator, state } = waiting;
      const value = of(waiting);
      return value === null ? [] : [{ labels: { operator, state }, value }];
    });
  };
  return [
    new Gauge(
      'rgs_wallet_rounds_attention',
      'Rounds that a person should look at, by operator and state; read every 15 seconds at most.',
      () => readings(({ rounds }) => rounds),
    ),
    new Gauge(
      'rgs_wallet_attention_oldest_seconds',
      'How long the oldest round in attention has been in its state; 0 without one.',
      () => readings(({ rounds, since }) => ageOf(rounds, since, clock.now())),
    ),
    failures,
  ];
}

/** An age in seconds; null if the store does not say. */
function ageOf(rounds: number, since: number | null, now: number): number | null {
  if (rounds === 0) return 0;
  return since === null ? null : Math.max(now - since, 0) / 1000;
}

/** @throws what a store throws. */
async function readAll(stores: WatchedStores): Promise<readonly Waiting[]> {
  const waiting = new Map<string, Waiting>();
  for (const [store, operatorId] of stores.operators()) {
    if (store.lists === undefined) continue; // a store of the user's own may be without types
    for (const each of await listOf(store.lists, operatorId)) addTo(waiting, each);
  }
  return [...waiting.values()];
}

/** What waits of one operator, by state. */
async function listOf(lists: RoundLists, operator: string): Promise<Waiting[]> {
  const counts = new Map<string, { rounds: number; since: number | null }>(
    states.map((state) => [state, { rounds: 0, since: null }]),
  );
  let seen = 0;
  for await (const entry of lists.attention(operator)) {
    const count = counts.get(entry.state);
    if (count === undefined) continue;
    count.rounds += 1;
    const { stateSince = null } = entry;
    if (stateSince !== null) count.since = Math.min(count.since ?? stateSince, stateSince);
    seen += 1;
    if (seen >= maxRounds) break;
  }
  return [...counts].map(([state, count]) => ({ operator, state, ...count }));
}

/** Adds what waits to that of the same operator and state in another store. */
function addTo(waiting: Map<string, Waiting>, more: Waiting): void {
  const { operator, state } = more;
  const key = JSON.stringify([operator, state]);
  const known = waiting.get(key);
  const rounds = more.rounds + (known?.rounds ?? 0);
  const times = [more.since, known?.since ?? null].filter((since) => since !== null);
  const since = times.length === 0 ? null : Math.min(...times);
  waiting.set(key, { operator, state, rounds, since });
}
