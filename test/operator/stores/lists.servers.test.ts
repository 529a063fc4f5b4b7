import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AttentionEntry, FullStore } from '../../../lib/operator/wallet';
import { Cleanup } from '../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { newYear, operatorId, putRound } from '../operations/fixture';

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

const stores: Readonly<Record<string, () => FullStore>> = {
  memory: () => createMemoryStore(),
  Redis: () => createRedisStore({ ...patience, url: redis.url, init: true, history: true }),
  PostgreSQL: () => createPostgresStore({ ...patience, url: postgres.url, init: true }),
};

/** More than three pages of any store, also where a player's rounds are in one bucket. */
const count = 460;

async function namesOf(list: AsyncIterable<AttentionEntry> | undefined): Promise<string[]> {
  const names: string[] = [];
  for await (const { playerId, gameRound } of list ?? []) names.push(`${playerId} ${gameRound}`);
  return names.toSorted();
}

test.each(Object.keys(stores))(
  'in %s, the lists of what waits have each round once, also of a player with hundreds, and may be left at any round',
  async (name) => {
    const store = cleanup.after((stores[name] as () => FullStore)(), (one) => one.close());
    await store.ready();
    const expected: Record<'stranded' | 'open', string[]> = { stranded: [], open: [] };
    for (const state of ['stranded', 'open'] as const) {
      const rounds = Array.from({ length: count }, (_, at) => ['ann', `${state}-${at}`] as const);
      const all = [...rounds, ['bob', `${state}-of-bob`] as const];
      const puts = all.map(([playerId, gameRound], at) =>
        putRound(store, { playerId, gameRound }, state, newYear + at),
      );
      await Promise.all(puts);
      expected[state] = all.map((ids) => ids.join(' ')).toSorted();
    }
    const { lists } = store;
    expect(await namesOf(lists.attention(operatorId))).toEqual(expected.stranded);
    const before = newYear + count;
    expect(await namesOf(lists.openRounds?.(operatorId, before))).toEqual(expected.open);
    expect(await namesOf(lists.attention('other'))).toEqual([]);
    let seen = 0;
    for await (const _ of lists.attention(operatorId)) if (++seen === 30) break;
    expect(seen).toBe(30);
  },
);
