import { afterAll, afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { changeOfEvents } from '../../../../lib/operator/reconciliation/totals/change';
import { startTotals } from '../../../../lib/operator/reconciliation/totals';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import {
  type FullStore,
  type NotableKind,
  notableKinds,
  type NotablePlace,
  type TotalsBatch,
} from '../../../../lib/operator/wallet';
import {
  credit,
  debit,
  RoundPlay,
  voidOf,
} from '../../../../lib/proof/contracts/repairs/round-play';
import { notableContract } from '../../../../lib/proof';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { SpanClock } from './random-play';
import { patience } from '../../../support/patience';

const runner = { describe, it, afterAll };
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

const events = ['totals'];
const stores: Readonly<Record<string, (clock: SpanClock) => Promise<FullStore>>> = {
  memory: async (clock) => createMemoryStore({ events, clock }),
  Redis: async (clock) =>
    createRedisStore({ ...patience, events, clock, init: true, url: redis.url }),
  PostgreSQL: async (clock) => {
    const url = await postgres.createDatabase();
    return createPostgresStore({ ...patience, events, clock, init: true, url });
  },
};

describe('in Redis', () => {
  notableContract({
    runner,
    createStore: (options) =>
      createRedisStore({ ...patience, ...options, init: true, url: redis.url, namespace: 'lists' }),
  });

  test('players of one id of a round are kept until the last of their rounds is forgotten, and no longer', async () => {
    const clock = new SpanClock(Date.parse('2026-03-01T12:00:00Z'));
    const store = cleanup.after(await stores.Redis?.(clock), (one) => one?.close()) as FullStore;
    await store.ready();
    const client = cleanup.after(new Redis(redis.url), (one) => one.quit());
    const operatorId = 'shared-rounds';
    const kept = async (keepMs: Readonly<Record<string, number | null>>): Promise<number> => {
      const player = `player-${Object.keys(keepMs).join()}-${clock.now()}`;
      await store.players.openPlayer({
        operatorId,
        playerId: player,
        currency: 'EUR',
        balances: { real: '1' },
      });
      const rounds = Object.entries(keepMs).map(([playerId, ms]) => {
        return {
          playerId,
          gameRound: 'same',
          text: 'kept',
          expiresAt: ms === null ? null : clock.now() + ms,
        };
      });
      for await (const batch of store.totals.batches({ operatorId })) {
        expect(await batch.add({ rows: [], rounds, gaps: [], since: 1, isLookup: true })).toBe(
          true,
        );
        break;
      }
      clock.goOn(1);
      const [key = ''] = await client.keys(`*{${operatorId}:totals}:p:*`);
      return client.pttl(key);
    };
    expect(await kept({ ann: null, bob: null })).toBe(-1);
    expect(await kept({ ann: 9_000_000 })).toBe(-1);
    const [mostMs, lessMs] = [9_000_000, 8_000_000];
    for (const keepMs of [1_000_000, 2_000_000]) {
      const leftMs = await kept({ bob: keepMs });
      expect([lessMs < leftMs, leftMs <= mostMs]).toEqual([true, true]);
    }
    expect(await kept({ bob: 20_000_000 })).toBeGreaterThan(mostMs);
  });
});

describe('in PostgreSQL', () => {
  notableContract({
    runner,
    createStore: (options) =>
      createPostgresStore({ ...patience, ...options, init: true, url: postgres.url }),
  });
});

const notableFrom = new Map([['EUR', 20n]]);

/** Counts what waits: each page is read by two readers, of which one is killed before it adds, and adds later. */
async function count(store: FullStore, operatorId: string, isLookup: boolean): Promise<void> {
  const stopping = new AbortController();
  const request = { operatorId, atMost: 2, signal: stopping.signal };
  const ends: boolean[] = [];
  const add = async (batch: TotalsBatch): Promise<void> => {
    const { decimals } = store;
    const terms = { operatorId, decimals, retentionMs: 1e9, since: 1, isLookup, notableFrom };
    ends.push(await batch.add(await changeOfEvents(batch.events, store.totals, terms)));
  };
  for await (const batch of store.totals.batches(request)) {
    let killed: TotalsBatch | null = null;
    for await (const same of store.totals.batches(request)) {
      killed = same;
      break;
    }
    await add(batch);
    if (killed !== null) await add(killed);
    const lags = await store.events.lag(operatorId);
    if (lags.every(({ waiting }) => waiting === 0)) break;
  }
  // Of two that read a page, one adds it.
  expect(ends.filter(Boolean)).toHaveLength(ends.length / 2);
}

/** All of a kind, read one by one. */
async function listed(store: FullStore, operatorId: string, kind: NotableKind) {
  const found: NotablePlace[] = [];
  for (;;) {
    const after = found.at(-1);
    const query = { kind, limit: 1, ...(after !== undefined && { after }) };
    const [next] = await store.totals.notable(operatorId, query);
    if (next === undefined) return found;
    found.push(next);
  }
}

test.each([
  [{ notableFrom: { EUR: '0' } }, 'notableFrom must have amounts above zero by currency: EUR'],
  [{ notableFrom: { eur: '10' } }, 'notableFrom must have amounts above zero by currency: eur'],
  [{ notableFrom: { EUR: 10 } }, 'notableFrom must have amounts above zero by currency: EUR'],
  [{ notableFrom: null }, 'notableFrom must have amounts above zero by currency'],
  [{ lookup: 'yes' }, 'lookup must be true or false'],
])('startTotals refuses %j', (options, message) => {
  const given = { store: createMemoryStore({ events }), operatorIds: [], ...options };
  expect(() => startTotals(given as never)).toThrow(new TypeError(`startTotals: ${message}`));
});

test.each(Object.keys(stores))(
  'in %s, rounds that gave a large win, were repaired, voided or refused a win are listed once, the last first',
  async (name) => {
    const clock = new SpanClock(Date.parse('2026-03-01T12:00:00Z'));
    const store = cleanup.after((await stores[name]?.(clock)) as FullStore, (one) => one.close());
    await store.ready();
    const play = await RoundPlay.open({ store, players: store.players });
    const { operatorId, playerId } = play.round;
    const another = (gameRound: string): RoundPlay => play.other({ ...play.round, gameRound });
    const [small, large, voided, refused] = [
      another('r1'),
      another('r2'),
      another('r3'),
      another('r4'),
    ];
    for (const one of [small, large, voided, refused]) {
      clock.goOn(1000);
      await one.call(debit('d', 5n, true));
    }
    await small.call(credit('c', 19n));
    await large.call(credit('c', 19n));
    await count(store, operatorId, false);
    // By the second win the first events are counted.
    await large.call(credit('c2', 1n));
    await voided.call(credit('c', 30n));
    await count(store, operatorId, false);
    await voided.call(voidOf('d'));
    await refused.call(debit('e', 1000n));
    await refused.call(credit('c', 1n));
    await count(store, operatorId, true);
    await refused.repaired({ hash: 'c' });
    await count(store, operatorId, true);
    const names: Partial<Record<NotableKind, string[]>> = {};
    for (const kind of notableKinds) {
      const rounds = await listed(store, operatorId, kind);
      expect(rounds.every((one) => one.playerId === playerId)).toBe(true);
      expect(rounds.map(({ at }) => at)).toEqual(
        rounds.map(({ at }) => at).toSorted((a, b) => b - a),
      );
      names[kind] = rounds.map(({ gameRound }) => gameRound);
    }
    expect(names).toEqual({ won: ['r3', 'r2'], repaired: ['r4'], voided: ['r3'], refused: ['r4'] });
    // Only what was counted with the lookup is found by the id of a round alone.
    expect(await store.totals.players(operatorId, 'r3')).toEqual([playerId]);
    expect(await store.totals.players(operatorId, 'r1')).toEqual([]);
  },
);
