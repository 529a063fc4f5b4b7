import { existsSync } from 'node:fs';

import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { type PostgresServer, type PostgresServerOptions, startPostgres } from './server';
import { childrenOf, stillThere } from '../process-table';
import { until } from '../until';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);

async function start(options?: PostgresServerOptions): Promise<PostgresServer> {
  return cleanup.after(await startPostgres(options));
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // a server that is killed breaks off idle connections too
  await client.connect();
  return cleanup.after(client, () => client.end());
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  const { rows } = await client.query({ text: sql, rowMode: 'array' });
  return rows.flat();
}

/** The database of one test, with a table for its rows. */
async function databaseWithRows(): Promise<string> {
  const url = await server().createDatabase();
  await ask(url, 'CREATE TABLE rows (n int)');
  return url;
}

test('a started server takes connections at once, and loses no acknowledged commit by default', async () => {
  const { url } = await start({ settings: { max_connections: '17' } });
  expect(await ask(url, 'SHOW fsync')).toEqual(['on']);
  expect(await ask(url, 'SHOW synchronous_commit')).toEqual(['on']);
  expect(await ask(url, 'SHOW full_page_writes')).toEqual(['on']);
  expect(await ask(url, 'SHOW max_connections')).toEqual(['17']);
});

test('a setting PostgreSQL does not know fails with what PostgreSQL said', async () => {
  await expect(startPostgres({ settings: { no_such_setting: 'x' } })).rejects.toThrow(
    /unrecognized configuration parameter "no_such_setting"/,
  );
});

test('each database created is empty and another', async () => {
  const [one, other] = [await server().createDatabase(), await server().createDatabase()];
  await ask(one, 'CREATE TABLE t (n int)');
  expect(await ask(one, "SELECT to_regclass('t')::text")).toEqual(['t']);
  expect(await ask(other, "SELECT to_regclass('t')::text")).toEqual([null]);
});

test('kill -9 amid writes keeps every acknowledged row over a restart on the same port', async () => {
  const { pid, port } = server();
  const url = await databaseWithRows();
  const acknowledged: number[] = [];
  const writer = await connect(url);
  const writing = (async () => {
    for (let n = 0; ; n += 1) {
      await writer.query('INSERT INTO rows VALUES ($1)', [n]);
      acknowledged.push(n);
    }
  })();
  const broken = expect(writing).rejects.toThrow();
  await until('some rows', () => acknowledged.length > 20);
  const family = [pid, ...childrenOf(pid)];
  await server().kill9();
  await broken;
  expect(family.length).toBeGreaterThan(2);
  expect(stillThere(family)).toEqual([]);
  expect(server().isRunning()).toBe(false);
  await expect(connect(url)).rejects.toThrow();
  await server().restart();
  expect(await ask(url, 'SELECT n FROM rows')).toEqual(expect.arrayContaining(acknowledged));
  expect(server().port).toBe(port);
  expect(server().pid).not.toBe(pid);
});

test('a transaction open at kill -9 is gone after the restart', async () => {
  const url = await databaseWithRows();
  const client = await connect(url);
  await client.query('BEGIN');
  await client.query('INSERT INTO rows VALUES (1)');
  await server().restart();
  expect(await ask(url, 'SELECT n FROM rows')).toEqual([]);
});

test('a paused server answers nothing on any connection until it is resumed', async () => {
  const client = await connect(server().url);
  await server().pause();
  const family = [server().pid, ...childrenOf(server().pid)];
  expect(new Set(stillThere(family).map(({ state }) => state))).toEqual(new Set(['stopped']));
  const reply = client.query<{ one: number }>('SELECT 1 AS one');
  const dialled = ask(server().url, 'SELECT 2');
  const none = new Promise((resolve) => setImmediate(resolve, 'none'));
  expect(await Promise.race([reply, dialled, none])).toBe('none');
  await server().resume();
  expect((await reply).rows).toEqual([{ one: 1 }]);
  expect(await dialled).toEqual([2]);
});

test('a paused server can be killed and started again', async () => {
  await server().pause();
  await server().restart();
  expect(await ask(server().url, 'SELECT 1')).toEqual([1]);
});

test('stopping a server ends it and removes its data, and disturbs no other', async () => {
  const other = await start();
  await connect(other.url);
  const family = [other.pid, ...childrenOf(other.pid)];
  await other.stop();
  expect(stillThere(family)).toEqual([]);
  expect(existsSync(other.dir)).toBe(false);
  expect(await ask(server().url, 'SELECT 1')).toEqual([1]);
});

test('a paused server can be stopped', async () => {
  const other = await start();
  await other.pause();
  const family = [other.pid, ...childrenOf(other.pid)];
  await other.stop();
  expect(stillThere(family)).toEqual([]);
});
