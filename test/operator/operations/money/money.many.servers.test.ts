import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { type RunningTotals, startTotals } from '../../../../lib/operator/reconciliation/totals';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore, WalletEvent } from '../../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../../lib/platform';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { runs } from '../../../support/runs';
import { auditOf, isCounted, killedAtTimes, ownRandom } from '../../reconciliation/totals/checks';
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

/** In Malta a day has 25 hours; Kathmandu begins its days at 18:15 UTC. */
const zones = ['Europe/Malta', 'Asia/Kathmandu', 'America/New_York'];

const count = runs(10_000, 300);

type Options = { readonly clock: Clock; readonly eventsLimit?: number };

const makers: Readonly<Record<string, (options: Options) => Promise<FullStore>>> = {
  memory: async ({ clock }) => createMemoryStore({ events: ['totals', 'audit'], clock }),
  Redis: async (options) => {
    const namespace = `money-${options.eventsLimit ?? 'whole'}`;
    const own = { ...options, events: ['totals', 'audit'], init: true, namespace, url: redis.url };
    return createRedisStore({ ...patience, ...own });
  },
  PostgreSQL: async ({ eventsLimit }) => {
    const limited = eventsLimit === undefined ? {} : { eventsLimit };
    const own = { events: ['totals', 'audit'], init: true, url: await postgres.createDatabase() };
    return createPostgresStore({ ...patience, ...own, ...limited });
  },
};

const cases: readonly (readonly [string, 'whole events' | 'pointers'])[] = [
  ['memory', 'whole events'],
  ['Redis', 'whole events'],
  ['Redis', 'pointers'],
  ['PostgreSQL', 'whole events'],
  ['PostgreSQL', 'pointers'],
];

/** A clock that shows a day after all that happened. */
function later(clock: SpanClock): Clock {
  const now = Math.max(clock.now(), systemClock.now()) + dayMs;
  return { ...systemClock, now: () => now };
}

test.each(cases)(
  'in %s, with %s, Money says of each day of three zones what was done on it, and agrees with the books to the unit',
  async (name, kind) => {
    const clock = new SpanClock(begin - 2 * dayMs);
    const limit = kind === 'pointers' ? { eventsLimit: 3 } : {};
    const store = await makers[name]?.({ clock, ...limit });
    if (store === undefined) throw new Error(`there is no ${name}`);
    cleanup.after(store, (one) => one.close());
    await store.ready();
    const seen: WalletEvent[] = [];
    const ending = new AbortController();
    const audit = auditOf(store, ending.signal, seen);
    cleanup.after(ending, (one) => one.abort());
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
    const keeper = keep(killedAtTimes(store.totals, ownRandom('kill')));
    await play.openPlayers();
    for (let step = 0; step < count; step++) await play.step(spanMs / count);
    await until('everything is counted', () => isCounted(store));
    ending.abort();
    await Promise.all([keeper.stop(), audit]);
    await play.listCash();

    for (const zone of zones) await checkMoney(store, later(clock), zone, play.done);
    const pointers = seen.filter((one) => one.type === 'round' && one.round !== undefined);
    expect(pointers.length > 0).toBe(kind === 'pointers');
  },
);
