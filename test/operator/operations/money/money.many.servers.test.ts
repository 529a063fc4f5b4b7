import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { type RunningTotals, startTotals } from '../../../../lib/operator/reconciliation/totals';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore, Totals } from '../../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../../lib/platform';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { firstOf, runs } from '../../../support/runs';
import { isCounted, killedAtTimes, ownRandom } from '../../reconciliation/totals/checks';
import { SpanClock } from '../../reconciliation/totals/random-play';
import { checkMoney } from './check-money';
import { operatorId, PlannedPlay } from './planned-play';

const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
});

afterEach(() => cleanup.run());

afterAll(async () => {
  await Promise.all([redis.stop(), postgres.stop()]);
});

const dayMs = 86_400_000;

/** The clocks change in Malta and New York within the days after it. */
const begin = Date.parse('2025-10-24T20:00:00Z');
const spanMs = 10 * dayMs;

/** In Malta and New York a day has 25 hours; Kathmandu begins its days at 18:15 UTC. */
const [malta, kathmandu, newYork] = ['Europe/Malta', 'Asia/Kathmandu', 'America/New_York'] as const;

const count = runs(10_000, 200);

type Options = { readonly clock: Clock; readonly eventsLimit?: number };

const makers: Readonly<Record<string, (options: Options) => Promise<FullStore>>> = {
  memory: async ({ clock }) => createMemoryStore({ events: ['totals'], clock }),
  Redis: async (options) => {
    const namespace = `money-${options.eventsLimit ?? 'whole'}`;
    const shown = { ...options, history: true };
    const own = { ...shown, events: ['totals'], init: true, namespace, url: redis.url };
    return createRedisStore({ ...patience, ...own });
  },
  PostgreSQL: async ({ eventsLimit }) => {
    const limited = eventsLimit === undefined ? {} : { eventsLimit };
    const own = { events: ['totals'], init: true, url: await postgres.createDatabase() };
    return createPostgresStore({ ...patience, ...own, ...limited });
  },
};

/** Store, events, and zones: the first one, and in the soak tier all of them. */
const cases: readonly (readonly [string, 'whole events' | 'pointers', readonly string[]])[] = [
  ['memory', 'whole events', [malta, kathmandu, newYork]],
  ['Redis', 'whole events', [newYork, malta, kathmandu]],
  ['Redis', 'pointers', [malta, kathmandu, newYork]],
  ['PostgreSQL', 'whole events', [kathmandu, newYork, malta]],
  ['PostgreSQL', 'pointers', [newYork, malta, kathmandu]],
];

/** A clock that shows two days after all that happened: in no zone is the last day just over. */
function later(clock: SpanClock): Clock {
  const now = Math.max(clock.now(), systemClock.now()) + 2 * dayMs;
  return { ...systemClock, now: () => now };
}

/** The same totals, counting the events that point to a round. */
function countingPointers(totals: Totals, seen: { pointers: number }): Totals {
  return {
    ...totals,
    async *batches(request) {
      for await (const batch of totals.batches(request)) {
        const pointers = batch.events.filter(
          (one) => one.type === 'round' && one.round !== undefined,
        );
        seen.pointers += pointers.length;
        yield batch;
      }
    },
  };
}

test.each(cases)(
  'in %s, with %s, Money says of each day what was done on it, and agrees with the books to the unit',
  async (name, kind, zones) => {
    const clock = new SpanClock(begin - 2 * dayMs);
    const limit = kind === 'pointers' ? { eventsLimit: 3 } : {};
    const store = await makers[name]?.({ clock, ...limit });
    if (store === undefined) throw new Error(`there is no ${name}`);
    cleanup.after(store, (one) => one.close());
    await store.ready();
    const players = Array.from({ length: 12 }, (_, at) => `player-${at}`);
    const play = new PlannedPlay(store, clock, ownRandom('play'), players);
    const keep = (of: FullStore['totals']): RunningTotals => {
      const counting = { store: { ...store, totals: of }, operatorIds: [operatorId], clock };
      return cleanup.after(startTotals(counting), (one) => one.stop());
    };
    // The totals begin with the first event that is counted: days before the others.
    const first = keep(store.totals);
    await play.openFirst();
    await until('the first event is counted', () => isCounted(store));
    await first.stop();
    clock.goOn(2 * dayMs);
    const seen = { pointers: 0 };
    const keeper = keep(killedAtTimes(countingPointers(store.totals, seen), ownRandom('kill')));
    await play.openPlayers();
    for (let step = 0; step < count; step++) await play.step(spanMs / count);
    await until('everything is counted', () => isCounted(store));
    await keeper.stop();
    await play.listCash();

    const checked = name === 'memory' ? zones : firstOf(zones, 1);
    for (const zone of checked) await checkMoney(store, later(clock), zone, play.done, players);
    expect(seen.pointers > 0).toBe(kind === 'pointers');
  },
);
