import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { Keys } from '../../../lib/operator/stores/redis/codec/keys';
import type { AccountStore } from '../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../lib/platform';
import { Cleanup } from '../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { withRedis } from '../../servers/redis/client';
import { type RedisServer, startRedis } from '../../servers/redis/server';

const key = { operatorId: 'op', playerId: 'ann' };
const ann = { ...key, currency: 'EUR' };
const maria = { id: 'maria', name: 'Maria' };
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
});

afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

afterEach(() => cleanup.run());

async function opened(store: AccountStore): Promise<AccountStore> {
  cleanup.after(store, (one) => one.close());
  await store.ready();
  return store;
}

function poolOf(url: string): Pool {
  return cleanup.after(new Pool({ connectionString: url }), (pool) => pool.end());
}

/** Reference, kind, units and time of all movements, in pages of two. */
async function listed(store: AccountStore): Promise<(string | bigint | number | null)[][]> {
  const all: (string | bigint | number | null)[][] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const page = await store.players.cash?.(key, {
      limit: 2,
      ...(before === undefined ? {} : { before }),
    });
    if (page?.kind !== 'known') throw new Error('the cash must be known');
    all.push(
      ...page.movements.map(({ reference, kind, units, at }) => [reference, kind, units, at]),
    );
    before = page.next;
  }
  return all;
}

test('what an earlier version kept of cash in Redis is listed last, without time, and its references hold', async () => {
  const at = 1_790_000_000_000;
  const clock: Clock = {
    now: () => at,
    monotonicMs: () => systemClock.monotonicMs(),
    after: (...args) => systemClock.after(...args),
    pause: (...args) => systemClock.pause(...args),
  };
  const store = await opened(
    createRedisStore({
      init: true,
      url: redis.url,
      namespace: 'old',
      decimals: 0,
      ...patience,
      clock,
    }),
  );
  const keys = new Keys('old');
  await withRedis(redis, async (admin) => {
    await admin.hset(keys.account(key), { EUR: '95' });
    await admin.hset(keys.cash(key).references, { first: '100 EUR real', second: '-5 EUR real' });
  });
  const old = [
    ['second', 'withdrawal', -5n, null],
    ['first', 'deposit', 100n, null],
  ];
  expect(await listed(store)).toEqual(old);
  const replay = await store.players.deposit({ ...ann, amount: '100', reference: 'first' });
  expect(replay).toMatchObject({ kind: 'done', replay: true, account: { real: 95n } });
  const other = await store.players.withdraw({ ...ann, amount: '6', reference: 'second' });
  expect(other).toEqual({ kind: 'refused', reason: 'referenceReused' });
  await store.players.deposit({ ...ann, amount: '1', reference: 'third' });
  await store.players.openPlayer({ ...ann, currency: 'USD', balances: { real: '2' } });
  expect(await listed(store)).toEqual([
    ['#opening USD real', 'opening', 2n, at],
    ['third', 'deposit', 1n, at],
    ...old,
  ]);
});

test('a page of cash in Redis costs the page, whatever the player has', async () => {
  const store = await opened(
    createRedisStore({ init: true, url: redis.url, namespace: 'long', ...patience }),
  );
  await store.players.openPlayer({ ...ann, balances: { real: '0' } });
  const keys = new Keys('long');
  await store.players.deposit({ ...ann, amount: '1', reference: 'one' });
  await withRedis(redis, async (admin) => {
    for (let at = 0; at < 50; at += 1) {
      const names = Array.from({ length: 1000 }, (_, index) => `deposit ${at} ${index}`);
      await admin.rpush(keys.cash(key).order, ...names);
      await admin.hset(
        keys.cash(key).references,
        Object.fromEntries(names.map((name) => [name, '1 EUR real 1'])),
      );
    }
  });
  const bytesOut = async () => {
    const told = await withRedis(redis, (admin) => admin.info('stats'));
    return Number(/total_net_output_bytes:(\d+)/.exec(told)?.[1]);
  };
  const before = await bytesOut();
  const page = await store.players.cash?.(key, { limit: 10, before: '25000' });
  expect(page).toMatchObject({ kind: 'known', next: '24990' });
  expect((await bytesOut()) - before).toBeLessThan(10_000);
});

test('a reporting tool reads cash in plain columns', async () => {
  const url = await postgres.createDatabase();
  const store = await opened(createPostgresStore({ url, init: true, decimals: 2, ...patience }));
  await store.players.openPlayer({ ...ann, balances: { real: '10.5' } });
  await store.players.withdraw({
    ...ann,
    amount: '0.05',
    reference: 'w',
    by: maria,
    reason: 'by phone',
  });
  const guide = await readFile(join(__dirname, '../../../docs/operations/reports.md'), 'utf8');
  const [, statements = ''] = /```sql\n([^`]*CREATE ROLE reports[^`]*)```/.exec(guide) ?? [];
  await poolOf(url).query(statements);
  const reports = poolOf(url.replace('postgres@', 'reports@'));
  await expect(reports.query('SELECT * FROM rgs_wallet.cash')).rejects.toThrow('permission denied');
  const { rows } = await reports.query<Record<string, unknown>>(
    'SELECT * FROM rgs_wallet.cash_movements ORDER BY moved_at',
  );
  const shared = { operator_id: 'op', player_id: 'ann', currency: 'EUR', balance: 'real' };
  const nobody = { actor_id: null, actor_name: null, reason: null };
  const moved_at = expect.any(Date);
  expect(rows).toEqual([
    {
      ...shared,
      ...nobody,
      moved_at,
      kind: 'opening',
      amount: '10.50',
      units: '1050',
      reference: '#opening EUR real',
    },
    {
      ...shared,
      moved_at,
      kind: 'withdrawal',
      amount: '-0.05',
      units: '-5',
      reference: 'w',
      actor_id: 'maria',
      actor_name: 'Maria',
      reason: 'by phone',
    },
  ]);
});
