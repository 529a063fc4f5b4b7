import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { type Pgbouncer, type PgbouncerOptions, startPgbouncer } from './pgbouncer';
import { startPostgres } from './server';
import { stillThere } from '../process-table';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);

interface Pool {
  readonly pool: Pgbouncer;
  /** A database of the server, through the pool. */
  readonly url: string;
}

async function start(options: PgbouncerOptions): Promise<Pool> {
  const pool = cleanup.after(await startPgbouncer(server(), options));
  return { pool, url: pool.through(await server().createDatabase()) };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // a pool that is killed breaks off idle connections too
  await client.connect();
  return cleanup.after(client, () => client.end());
}

async function backend(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

test('in transaction mode, clients share a server connection between their transactions', async () => {
  const { url } = await start({ settings: { default_pool_size: '1' } });
  const [one, other] = [await connect(url), await connect(url)];
  expect(await backend(one)).toBe(await backend(other));
  await one.query('BEGIN');
  const waiting = backend(other);
  const held = await backend(one);
  await one.query('COMMIT');
  expect(await waiting).toBe(held);
});

test('in session mode, each client keeps a server connection', async () => {
  const { url } = await start({ poolMode: 'session' });
  const [one, other] = [await connect(url), await connect(url)];
  expect(await backend(one)).not.toBe(await backend(other));
});

test('each database of the server can be reached through the pool', async () => {
  const { url, pool } = await start({});
  const name = 'SELECT current_database() AS name';
  const through = await (await connect(url)).query<{ name: string }>(name);
  expect(through.rows[0]?.name).toBe(new URL(url).pathname.slice(1));
  const { rows } = await (await connect(pool.url)).query(name);
  expect(rows).toEqual([{ name: 'postgres' }]);
});

test('stopping a pool ends it and breaks off its clients', async () => {
  const { url, pool } = await start({});
  const client = await connect(url);
  await pool.stop();
  expect(pool.isRunning()).toBe(false);
  expect(stillThere([pool.pid])).toEqual([]);
  await expect(backend(client)).rejects.toThrow();
});

test('a setting PgBouncer does not know fails with what PgBouncer said', async () => {
  await expect(startPgbouncer(server(), { settings: { pool_mode: 'puddle' } })).rejects.toThrow(
    /invalid value "puddle"/,
  );
});
