import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { Keys } from '../../../lib/operator/stores/redis/codec/keys';
import type { AccountStore } from '../../../lib/operator/wallet';
import { startPostgres } from '../../servers/postgres/server';
import { withRedis } from '../../servers/redis/client';
import { startRedis } from '../../servers/redis/server';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const key = { operatorId: 'op', playerId: 'ann' };
const ann = { ...key, currency: 'EUR' };
const maria = { id: 'maria', name: 'Maria' };
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
const cleanup = cleanupAfterEach();
const redis = serverOfFile(startRedis);
const postgres = serverOfFile(startPostgres);

async function opened(store: AccountStore): Promise<AccountStore> {
  cleanup.after(store);
  await store.ready();
  return store;
}

function poolOf(url: string): Pool {
  return cleanup.after(new Pool({ connectionString: url }));
}

test('a page of cash in Redis costs the page, whatever the player has', async () => {
  const store = await opened(
    createRedisStore({ init: true, url: redis().url, namespace: 'long', ...patience }),
  );
  await store.players.openPlayer({ ...ann, balances: { real: '0' } });
  const keys = new Keys('long');
  await store.players.deposit({ ...ann, amount: '1', reference: 'one' });
  await withRedis(redis(), async (admin) => {
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
    const told = await withRedis(redis(), (admin) => admin.info('stats'));
    return Number(/total_net_output_bytes:(\d+)/.exec(told)?.[1]);
  };
  const before = await bytesOut();
  const page = await store.players.cash?.(key, { limit: 10, before: '25000' });
  expect(page).toMatchObject({ kind: 'known', next: '24990' });
  expect((await bytesOut()) - before).toBeLessThan(10_000);
});

test('a reporting tool reads cash in plain columns', async () => {
  const url = await postgres().createDatabase();
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
