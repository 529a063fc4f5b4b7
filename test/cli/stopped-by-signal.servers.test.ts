import { beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { Client } from 'pg';

import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { end, openingOf } from '../../lib/proof/contracts/changes';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';
import { MAIN, runCli, start } from './cli';
import { cleanupAfterEach } from '../support/each-test';
import { stopServer } from '../network/listening';

const cleanup = cleanupAfterEach();
let postgres: PostgresServer;

beforeEach(async () => {
  postgres = cleanup.after(await startPostgres());
});

async function connect(connectionString: string): Promise<Client> {
  const client = cleanup.after(new Client({ connectionString }));
  await client.connect();
  return client;
}

/** What a query finds in its first column of its first row. */
async function found(client: Client, query: string): Promise<unknown> {
  const { rows } = await client.query<{ found: unknown }>(query);
  return rows[0]?.found;
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('ends migrate midway, leaves the schema as it was, and a later migrate does it all', async () => {
    const url = await postgres.createDatabase();
    const [holder, watcher] = [await connect(url), await connect(url)];
    // The migration creates its schema, and then waits for the one that creates it too.
    await holder.query('BEGIN; CREATE SCHEMA rgs_wallet');
    const child = start(['migrate', '--store', url], {}, MAIN);
    const ended = once(child, 'close');
    await until('migrate to wait', async () => {
      const waits = `SELECT count(*)::int AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await found(watcher, waits)) === 1;
    });
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await holder.query('ROLLBACK');
    const isThere = `SELECT to_regnamespace('rgs_wallet') IS NOT NULL AS found`;
    expect(await found(watcher, isThere)).toBe(false);
    expect(await runCli(['migrate', '--store', url])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^applied 001-schema\n[^]*The schema is at \d+\.\n$/),
    });
  });

  test('ends deliver while its receiver stands still; the events are kept', async () => {
    const url = await postgres.createDatabase();
    const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
    const store = cleanup.after(
      createPostgresStore({ url, init: true, events: ['bridge'], ...patience }),
    );
    await store.ready();
    await store.rounds.commit(
      { operatorId: 'op', playerId: 'p', gameRound: 'r' },
      openingOf([end('e')]),
    );
    let calls = 0;
    const receiver = createServer(() => void (calls += 1)).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    cleanup.after(receiver, stopServer);
    const secret = join(await temporaryFolder('secret'), 'secret');
    await writeFile(secret, `whsec_${Buffer.alloc(32, 7).toString('base64')}\n`);
    const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const where = ['--store', url, '--operator', 'op', '--consumer', 'bridge'];
    const args = ['events', 'deliver', ...where, '--to', to, '--secret-file', secret];
    const child = start(args, {}, MAIN);
    const ended = once(child, 'close');
    await until('the call', () => calls === 1);
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(await store.events.lag('op')).toMatchObject([{ consumer: 'bridge', waiting: 1 }]);
  });
});
