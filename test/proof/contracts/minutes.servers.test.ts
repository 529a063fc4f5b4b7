import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';

import { Redis } from 'ioredis';
import { Client } from 'pg';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { minuteKeptMs } from '../../../lib/operator/wallet';
import { minutesContract } from '../../../lib/proof';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';

const runner = { describe, it, afterAll };
let postgres: PostgresServer;
let redis: RedisServer;
let client: Redis;
let sql: Client;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  client = new Redis(redis.url);
  sql = new Client(postgres.url);
  await sql.connect();
});

afterAll(async () => {
  client.disconnect();
  await sql.end();
  await Promise.all([postgres.stop(), redis.stop()]);
});

function inRedis(namespace: string) {
  return createRedisStore({ ...patience, url: redis.url, namespace, init: true });
}

function inPostgres(schema: string) {
  return createPostgresStore({ ...patience, url: postgres.url, schema, init: true });
}

describe('in Redis', () => {
  minutesContract({ runner, createStore: () => inRedis('contract') });

  test('a minute is deleted two days after its last row', async () => {
    const store = inRedis('kept');
    await store.ready();
    await store.minutes.save({ minute: 1, process: 'p', text: '1' });
    const ttl = await client.pttl('kept:{minutes}:1');
    expect(ttl).toBeGreaterThan(minuteKeptMs - 60_000);
    expect(ttl).toBeLessThanOrEqual(minuteKeptMs);
    await store.close();
  });

  test('what no process has saved is left out of the list', async () => {
    const store = inRedis('hostile');
    await store.ready();
    await store.minutes.save({ minute: 1, process: 'p', text: '1' });
    await client.hset('hostile:{minutes}:1', {
      'a b': '1',
      '<script>': '1',
      line: 'a\n',
      long: 'x'.repeat(100_000),
      bytes: Buffer.from([0xff, 0xfe, 0]),
    });
    expect(await store.minutes.list(0, 2)).toEqual([{ minute: 1, process: 'p', text: '1' }]);
    await store.close();
  });
});

describe('in PostgreSQL', () => {
  minutesContract({ runner, createStore: () => inPostgres('contract') });

  test('a save deletes the rows that were saved more than two days ago, whatever their minutes', async () => {
    const store = inPostgres('kept');
    await store.ready();
    for (const process of ['old', 'new']) {
      await store.minutes.save({ minute: 1, process, text: '1' });
    }
    const since = `clock_timestamp() - ${minuteKeptMs} * interval '1 millisecond'`;
    await sql.query(
      `UPDATE kept.minutes SET saved_at = ${since} + CASE process WHEN 'new' THEN 1 ELSE -1 END * interval '1 minute'`,
    );
    await store.minutes.save({ minute: 2, process: 'now', text: '1' });
    const rows = await store.minutes.list(0, 3);
    expect(rows.map(({ process }) => process).toSorted()).toEqual(['new', 'now']);
    await store.close();
  });

  test('what no process has saved is left out of the list', async () => {
    const store = inPostgres('hostile');
    await store.ready();
    await store.minutes.save({ minute: 1, process: 'p', text: '1' });
    const values = [`'a b', '1'`, `'line', E'a\\n'`, `'long', repeat('x', 100000)`, `'-', 'ä'`];
    await sql.query(
      `INSERT INTO hostile.minutes (minute, saved_at, process, counts) VALUES ${values.map((one) => `(1, now(), ${one})`).join()}`,
    );
    expect(await store.minutes.list(0, 2)).toEqual([{ minute: 1, process: 'p', text: '1' }]);
    await store.close();
  });
});
