import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { unseenRound } from '../../../../lib/operator/gameround';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { Connections } from '../../../../lib/operator/stores/postgres/connections/pool';
import { query } from '../../../../lib/operator/stores/postgres/client/port';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { eventsTo } from '../../../../lib/operator/events';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const poolSize = 3;
const players = Array.from({ length: 6 * poolSize }, (_, at) => ({
  operatorId: 'op',
  playerId: `p${at}`,
}));
/** Commits do not end here, however long they take. */
const impatience = { ...patience, commandTimeoutMs: 200 };
const cleanup = cleanupAfterEach();
let server: PostgresServer;
let admin: Pool;

beforeEach(async () => {
  server = cleanup.after(await startPostgres());
  admin = cleanup.after(new Pool({ connectionString: server.url }));
});

/** From now on, until changed, every commit waits for this standby. */
async function waitForStandby(name: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await admin.query('SELECT pg_reload_conf()');
  await until('the setting to be in force', async () => {
    const { rows } = await admin.query<{ synchronous_standby_names: string }>(
      'SHOW synchronous_standby_names',
    );
    return rows[0]?.synchronous_standby_names === name;
  });
}

/** Sessions of the wallet, whatever they do. */
async function backends(): Promise<number> {
  const sessions = "SELECT FROM pg_stat_activity WHERE application_name = 'rgs-wallet'";
  return (await admin.query(sessions)).rows.length;
}

/** Commits that wait for a standby. */
async function stuck(): Promise<number> {
  const sessions = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  return (await admin.query(sessions)).rows.length;
}

async function migrate(url: string): Promise<void> {
  const store = createPostgresStore({ ...patience, url, init: true });
  await store.ready();
  await store.close();
}

async function commit(store: AccountStore, player: (typeof players)[number]): Promise<string> {
  const round = { ...player, gameRound: 'r' };
  const after = { ...unseenRound, version: 1, state: 'open' } as const;
  const change = { before: unseenRound, after, records: [], movements: [] };
  return (await store.rounds.commit(round, change)).kind;
}

test('while no commit ends, since a synchronous standby is gone, no more sessions are at the server than the pool has', async () => {
  await migrate(server.url);
  const store = cleanup.after(createPostgresStore({ ...impatience, url: server.url, poolSize }));
  await store.ready();
  await waitForStandby('gone');
  for (let from = 0; from < players.length; from += poolSize) {
    const some = players.slice(from, from + poolSize);
    const kinds = await Promise.all(some.map((player) => commit(store, player)));
    expect(kinds).toEqual(some.map(() => 'unknown'));
    expect(await backends()).toBeLessThanOrEqual(poolSize);
  }
  await waitForStandby('');
  const again = await until('a commit to be done', async () => {
    const kind = await commit(store, { operatorId: 'op', playerId: 'late' });
    return kind !== 'unknown' && kind;
  });
  expect(again).toBe('committed');
  expect(await backends()).toBeLessThanOrEqual(poolSize);
});

test('a connection limit of the role holds over restarts of the wallet, and what waits goes on once there is room', async () => {
  const limit = 4;
  await admin.query(`CREATE ROLE wallet LOGIN SUPERUSER`);
  const url = server.url.replace('postgres@', 'wallet@');
  const clock = new LeapingClock();
  const open = (): AccountStore => createPostgresStore({ ...patience, url, poolSize, clock });
  await migrate(url);
  // A superuser has no connection limit; the guide's role is not one.
  await admin.query(`ALTER ROLE wallet NOSUPERUSER CONNECTION LIMIT ${limit}`);
  await admin.query('GRANT USAGE ON SCHEMA rgs_wallet TO wallet');
  await admin.query('GRANT ALL ON ALL TABLES IN SCHEMA rgs_wallet TO wallet');
  await waitForStandby('gone');
  for (let restarts = 0; restarts < 4; restarts++) {
    const store = open();
    const some = players.slice(restarts * poolSize, (restarts + 1) * poolSize);
    const committing = Promise.all(some.map((player) => commit(store, player)));
    const most = Math.min(limit, (restarts + 1) * poolSize);
    await until('the commits to be stuck', async () => (await stuck()) === most);
    clock.leap(patience.commandTimeoutMs);
    expect(await committing).toEqual(some.map(() => 'unknown'));
    await store.close();
    expect(await backends()).toBeLessThanOrEqual(limit);
  }
  expect(await backends()).toBe(limit);
  await waitForStandby('');
  const store = cleanup.after(open());
  const late = { operatorId: 'op', playerId: 'late' };
  await until('a commit to be done', async () => (await commit(store, late)) !== 'unknown');
});

test('a closed store keeps no connection that it has given up', async () => {
  await migrate(server.url);
  const store = createPostgresStore({ ...impatience, url: server.url, poolSize: 1 });
  await store.ready();
  await server.pause();
  expect((await store.rounds.accounts({ operatorId: 'op', playerId: 'p' })).kind).toBe('unknown');
  await store.close();
  await server.resume();
  await until('the session to end', async () => (await backends()) === 0);
});

interface OpenConnections {
  readonly pool: Pool;
  readonly given: Connections;
  readonly clock: LeapingClock;
}

async function openConnections(abandonedMs: number): Promise<OpenConnections> {
  const url = await server.createDatabase();
  await migrate(url);
  const pool = cleanup.after(new Pool({ connectionString: url, max: poolSize }));
  const clock = new LeapingClock();
  const options = {
    schema: 'rgs_wallet',
    decimals: 4,
    unit: '1' as const,
    money: 'accounts' as const,
    acceptLoss: false,
    migrate: false,
    init: false,
    past: null,
    connectTimeoutMs: patience.connectTimeoutMs,
    clock,
    events: eventsTo(),
    abandonedMs,
  };
  const given = cleanup.after(new Connections(pool, options));
  return { pool, given, clock };
}

/** A statement that gets no answer, and is given up when its time is over. */
async function giveUp({ given, clock }: OpenConnections): Promise<void> {
  let isSent = false;
  const silent = expect(
    given.use(60_000, (client) => {
      isSent = true;
      return query(client, 'SELECT 1');
    }),
  ).rejects.toThrow('no answer in time');
  await until('the statement to be sent', () => isSent);
  clock.leap(60_000);
  await silent;
}

test('a connection that is given up counts until its time is over, where the server says nothing', async () => {
  const connections = await openConnections(3_600_000);
  const { pool, given, clock } = connections;
  await given.passed();
  await server.pause();
  await giveUp(connections);
  expect(pool.totalCount).toBe(1);
  clock.leap(3_600_000);
  expect(pool.totalCount).toBe(0);
  await server.resume();
});

test('a connection that is given up counts no longer once its statement is answered', async () => {
  const connections = await openConnections(2 ** 31 - 1);
  const { pool, given } = connections;
  await given.passed();
  await server.pause();
  await giveUp(connections);
  expect(pool.totalCount).toBe(1);
  await server.resume();
  await until('the connection to be let go', async () => pool.totalCount === 0);
});

test('a pool that others use too gets back at once what is given up', async () => {
  const connections = await openConnections(0);
  const { pool, given } = connections;
  await given.passed();
  await server.pause();
  await giveUp(connections);
  expect(pool.totalCount).toBe(0);
  await server.resume();
});
