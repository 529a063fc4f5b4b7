import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { FullStore, TotalsRow } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { ownRandom } from './checks';

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

const operatorId = 'casino';
const events = ['totals'];
const stores: Readonly<Record<string, () => Promise<FullStore>>> = {
  memory: async () => createMemoryStore({ events }),
  Redis: async () => createRedisStore({ ...patience, events, init: true, url: redis.url }),
  PostgreSQL: async () => {
    const url = await postgres.createDatabase();
    return createPostgresStore({ ...patience, events, init: true, url });
  },
};

/** Adds rows, as those of one event. */
async function add(store: FullStore, rows: readonly TotalsRow[]): Promise<void> {
  const account = { operatorId, playerId: 'ann', currency: 'EUR', balances: { real: '0' } };
  await store.players.openPlayer(account);
  const gaps = [12, 40].map((quarter) => {
    return { quarter, kind: 'round lost', playerId: 'ann', gameRound: `of ${quarter}` } as const;
  });
  for await (const batch of store.totals.batches({ operatorId })) {
    expect(await batch.add({ rows, rounds: [], gaps, since: 7 })).toBe(true);
    return;
  }
}

/** By bound, time and currency of all games, or by time, game and currency of all bounds, what rows add up to. */
function added(
  rows: readonly TotalsRow[],
  bounds: readonly number[],
  kind: 'parts' | 'games',
): string[] {
  const sums = new Map<string, bigint>();
  for (const { quarter, by, game, currency, sums: units } of rows) {
    const bound = bounds.findLast((one) => one <= quarter);
    if (by === 'end' || bound === undefined || bound === bounds.at(-1)) continue;
    for (const [name, one] of Object.entries(units)) {
      const place = kind === 'parts' ? [bound, ''] : [bounds[0], game];
      const key = JSON.stringify([...place, by, currency, name]);
      sums.set(key, (sums.get(key) ?? 0n) + one);
    }
  }
  const found = [...sums].filter(([, units]) => units !== 0n);
  return found.map(([key, units]) => `${key} ${units}`).toSorted();
}

/** The same, of what a store added up: each row comes once. */
function said(rows: readonly TotalsRow[]): string[] {
  const found = rows.flatMap(({ quarter, game, by, currency, sums }) =>
    Object.entries(sums).map(([name, units]) => {
      return [JSON.stringify([quarter, game, by, currency, name]), units] as const;
    }),
  );
  return found
    .filter(([, units]) => units !== 0n)
    .map(([key, units]) => `${key} ${units}`)
    .toSorted();
}

/** Rows of 40 quarters; a third of the amounts are beyond what a double has exactly. */
function randomRows(random: () => number): TotalsRow[] {
  const units = (): bigint => {
    const small = BigInt(Math.floor(random() * 2e15)) - 10n ** 15n;
    return random() < 0.33 ? small + (random() < 0.5 ? 1n : -1n) * (2n ** 53n + 1n) : small;
  };
  return Array.from({ length: 40 }, (_, quarter) => quarter + 10).flatMap((quarter) =>
    (['start', 'end', 'own'] as const).flatMap((by) =>
      ['', 'bells', 'a b "c"'].map((game) => {
        const sums = { games: 1n, bet: units(), win: units(), corrected: units() };
        return { quarter, by, game, currency: random() < 0.5 ? 'EUR' : 'JPY', sums };
      }),
    ),
  );
}

test.each(Object.keys(stores))(
  'in %s, quarters between bounds are added up to the unit, by part and by game, however great the sums, without what counts at the end of rounds',
  async (name) => {
    const store = (await stores[name]?.()) as FullStore;
    cleanup.after(store, (one) => one.close());
    await store.ready();
    const rows = randomRows(ownRandom('sums'));
    await add(store, rows);
    for (const bounds of [
      [10, 50],
      [10, 11, 12, 13],
      [0, 14, 30, 47, 60],
      [15, 16],
      [60, 70],
    ]) {
      const { gaps, since, ...found } = await store.totals.sum(operatorId, bounds);
      for (const kind of ['parts', 'games'] as const) {
        expect(said(found[kind])).toEqual(added(rows, bounds, kind));
      }
      const [first = 0, last = 0] = [bounds[0], bounds.at(-1)];
      const within = [12, 40].filter((quarter) => first <= quarter && quarter < last);
      const lacking = new Set(gaps.map(({ quarter }) => quarter));
      expect(lacking).toEqual(new Set(within));
      expect(since).toBe(7);
    }
    for (const wrong of [[], [3], [3, 3], [4, 3], [0.5, 2], [-1, 2], [0, 50_000]]) {
      await expect(store.totals.sum(operatorId, wrong)).rejects.toThrow(TypeError);
    }
    await expect(store.totals.sum('other', [1, 2])).resolves.toEqual({
      parts: [],
      games: [],
      gaps: [],
      since: null,
    });
  },
);
