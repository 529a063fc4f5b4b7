import { expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { startPostgres } from '../../servers/postgres/server';
import { withRedis } from '../../servers/redis/client';
import { startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { serverOfFile } from '../../support/each-test';

const operatorId = 'casino';
const by = { id: 'anna', name: 'Anna' };
const player = { operatorId, playerId: 'ann' };
const euros = { ...player, currency: 'EUR' };

const redis = serverOfFile(startRedis);
const postgres = serverOfFile(startPostgres);

function inRedis(namespace: string) {
  return createRedisStore({ ...patience, url: redis().url, init: true, namespace });
}

test('a store in Redis that an earlier version made says from when on it lists acts', async () => {
  const first = inRedis('old');
  await first.ready();
  const made = await first.acts.list(operatorId);
  expect(made).toMatchObject({ kind: 'known', since: expect.any(Number) });
  await first.close();
  await withRedis(redis(), (client) => client.hdel('old:settings', 'acts'));
  const before = Date.now();
  const second = inRedis('old');
  await second.ready();
  const listed = await second.acts.list(operatorId);
  const since = listed.kind === 'known' ? (listed.since ?? 0) : 0;
  expect(since).toBeGreaterThanOrEqual(before);
  expect(await second.acts.list(operatorId)).toMatchObject({ since });
  await second.close();
});

test('one request to Redis looks at 2,000 acts, and the next continues there', async () => {
  const store = inRedis('many');
  await store.ready();
  await store.players.openPlayer({ ...euros, balances: { real: '0' } });
  for (let at = 0; at < 2100; at += 100) {
    const references = Array.from({ length: 100 }, (_, one) => `d-${at + one}`);
    await Promise.all(
      references.map((reference) =>
        store.players.deposit({
          ...euros,
          amount: '1',
          reference,
          by: reference === 'd-0' ? { id: 'bert', name: null } : by,
        }),
      ),
    );
  }
  const query = { person: 'bert' };
  const first = await store.acts.list(operatorId, query);
  expect(first).toMatchObject({ kind: 'known', acts: [], next: expect.any(String) });
  const cursor = (first.kind === 'known' && first.next) || '';
  const second = await store.acts.list(operatorId, { ...query, cursor });
  expect(second).toMatchObject({ acts: [{ type: 'cash', reference: 'd-0' }], next: null });
  await store.close();
});

test('PostgreSQL keeps what programs did out of the index of acts', async () => {
  const store = createPostgresStore({ ...patience, url: postgres().url, init: true });
  await store.ready();
  await store.players.openPlayer({ ...euros, balances: { real: '0' } });
  await store.players.deposit({ ...euros, amount: '1', reference: 'one', by });
  const pool = new Pool({ connectionString: postgres().url });
  try {
    await pool.query(
      `INSERT INTO rgs_wallet.cash (operator_id, player_id, reference, kind, units, currency, balance)
       SELECT 'casino', 'p' || n, 'r' || n, 'deposit', 1, 'EUR', 'real' FROM generate_series(1, 20000) AS n`,
    );
    await pool.query('ANALYZE rgs_wallet.cash');
    const count = `SELECT pg_relation_size('rgs_wallet.cash_acts')::int, pg_relation_size('rgs_wallet.cash_by_time')::int`;
    const [sizes] = (await pool.query({ text: count, rowMode: 'array' })).rows as number[][];
    expect(sizes?.[0]).toBeLessThan((sizes?.[1] ?? 0) / 10);
    expect(await store.acts.list(operatorId)).toMatchObject({ acts: [{ reference: 'one' }] });
  } finally {
    await pool.end();
    await store.close();
  }
});
