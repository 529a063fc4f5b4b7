import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { type RunningTotals, startTotals } from '../../../../lib/operator/reconciliation/totals';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { FullStore, WalletEvent } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { runs } from '../../../support/runs';
import { unitsOf } from './brute-force';
import {
  auditOf,
  begin,
  checkBooks,
  checkDays,
  isCounted,
  killedAtTimes,
  ownRandom,
  spanOf,
} from './checks';
import { operatorId, RandomPlay, SpanClock, spanMs } from './random-play';

const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = [await startRedis(), await startPostgres()];
});

afterEach(() => cleanup.run());

afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

const count = runs(10_000, 100);

interface Made {
  readonly store: FullStore;
  /** A second one over the same data, as another process has it. */
  readonly other: FullStore;
}

/** In Redis, the client fails at times between the two steps of counting: after the totals, before the cursors. */
function carelessClient(random: () => number): Redis {
  const client = new Redis(redis.url, { maxRetriesPerRequest: null });
  const call = client.call.bind(client) as (...sent: unknown[]) => Promise<unknown>;
  const careless = (...sent: unknown[]): Promise<unknown> =>
    sent[1] === scripts.advanceEvents.sha && random() < 0.2
      ? Promise.reject(new Error('killed'))
      : call(...sent);
  Object.assign(client, { call: careless });
  cleanup.after(client, (one) => one.quit());
  return client;
}

type MoreOptions = { readonly clock: SpanClock; readonly eventsLimit?: number };

const makers: Readonly<
  Record<string, (events: string[], more: MoreOptions, random: () => number) => Promise<Made>>
> = {
  memory: async (events, { clock }) => {
    const store = createMemoryStore({ events, clock });
    return { store, other: store };
  },
  Redis: async (events, more, random) => {
    const namespace = `totals-${more.eventsLimit ?? 'whole'}`;
    const options = { ...patience, ...more, events, init: true, namespace } as const;
    return {
      store: createRedisStore({ ...options, client: carelessClient(random) }),
      other: createRedisStore({ ...options, url: redis.url }),
    };
  },
  PostgreSQL: async (events, { eventsLimit }) => {
    const options = { ...patience, events, init: true, url: await postgres.createDatabase() };
    const limited = eventsLimit === undefined ? options : { ...options, eventsLimit };
    const store = createPostgresStore(limited);
    await store.ready();
    return { store, other: createPostgresStore(limited) };
  },
};

const cases = Object.keys(makers).flatMap((name) =>
  name === 'memory'
    ? [[name, 'whole events'] as const]
    : [[name, 'whole events'] as const, [name, 'pointers'] as const],
);

test.each(cases)(
  'in %s, with %s, the totals of each day are what the rounds say, whoever is killed while counting',
  async (name, kind) => {
    const clock = new SpanClock(begin);
    const isLimited = kind === 'pointers';
    const made = await makers[name]?.(
      ['totals', 'audit'],
      isLimited ? { clock, eventsLimit: 3 } : { clock },
      ownRandom('client'),
    );
    if (made === undefined) throw new Error(`there is no ${name}`);
    const { store, other } = made;
    cleanup.after(store, (one) => one.close());
    cleanup.after(other, (one) => one.close());
    await store.ready();
    await other.ready();
    const players = Array.from({ length: 12 }, (_, at) => `player-${at}`);
    const play = new RandomPlay(other, clock, ownRandom('play'), players);
    const seen: WalletEvent[] = [];
    const ending = new AbortController();
    const audit = auditOf(other, ending.signal, seen);
    cleanup.after(ending, (one) => one.abort());
    const keep = (of: FullStore, whose: string): RunningTotals => {
      const totals = killedAtTimes(of.totals, ownRandom(whose));
      const options = { store: { ...of, totals }, operatorIds: [operatorId], clock };
      return cleanup.after(startTotals(options), (one) => one.stop());
    };
    const keepers = [keep(store, 'one'), keep(other, 'other')];
    await play.openPlayers();
    for (let step = 0; step < count; step++) await play.step(spanMs / count);
    await until('everything is counted', () => isCounted(other));
    ending.abort();
    await Promise.all([...keepers.map((one) => one.stop()), audit]);

    await checkBooks(other, spanOf(clock));
    await checkDays(other, clock, seen, isLimited);
    const { gaps } = await other.totals.read(operatorId, ...spanOf(clock));
    expect(gaps).toEqual([]);
    const pointers = seen.filter((one) => one.type === 'round' && one.round !== undefined);
    expect(pointers.length > 0).toBe(isLimited);
    const cash = seen.flatMap((one) => (one.type === 'cash' ? one.movements : []));
    expect(cash.some(({ real }) => unitsOf(real) !== 0n)).toBe(true);
    await other.events.forgetConsumer('totals', [operatorId]);
    expect((await other.totals.read(operatorId, ...spanOf(clock))).since).toBeNull();
  },
);
