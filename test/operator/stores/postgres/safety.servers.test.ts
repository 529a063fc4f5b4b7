import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { StoreUnavailableError, StoreUnsafeError } from '../../../../lib/operator/wallet';
import { schemaVersion } from '../../../../lib/operator/stores/postgres/schema/migrations';
import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { freePort } from '../../../servers/ports';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const cleanup = cleanupAfterEach();
let server: PostgresServer;
let admin: Pool;

beforeAll(async () => {
  server = await startPostgres();
  admin = new Pool({ connectionString: server.url });
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

function open(options: Partial<PostgresStoreOptions> = {}): AccountStore {
  const where = options.pool === undefined ? { url: server.url } : {};
  return cleanup.after(createPostgresStore({ ...patience, ...where, init: true, ...options }));
}

function poolOf(url: string): Pool {
  return cleanup.after(new Pool({ connectionString: url }));
}

/** Changes a setting of the server, until the end of the test. */
async function set(name: string, value: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await reload(name, value);
  cleanup.after(name, async () => {
    await admin.query(`ALTER SYSTEM RESET ${name}`);
    await reload(name, 'on');
  });
}

async function reload(name: string, value: string): Promise<void> {
  await admin.query('SELECT pg_reload_conf()');
  for (;;) {
    // A new session has the new value once the postmaster has read it.
    const pool = new Pool({ connectionString: server.url });
    const { rows } = await pool.query<{ setting: string }>('SELECT current_setting($1) setting', [
      name,
    ]);
    await pool.end();
    if (rows[0]?.setting === value) return;
  }
}

describe.each([
  ['fsync', 'fsync must be on: otherwise a crash'],
  ['full_page_writes', 'full_page_writes must be on: otherwise a crash'],
  ['synchronous_commit', 'synchronous_commit must be on, local or one of remote_*, not off'],
])('with %s off', (name, message) => {
  test('ready refuses, naming the setting and what is at stake', async () => {
    await set(name, 'off');
    const refused = await open()
      .ready()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnsafeError);
    expect(String(refused)).toContain(message);
  });

  test('acceptLoss uses it, and warns', async () => {
    await set(name, 'off');
    const dangers: unknown[] = [];
    const note = (fields: object) => dangers.push(fields);
    const logger = { info: () => {}, warn: note, error: note };
    const store = open({ acceptLoss: true, logger });
    await store.ready();
    expect(dangers).toEqual([{ danger: expect.stringContaining(message) }]);
    const settings = store.server?.settings ?? [];
    expect(settings).toHaveLength(5);
    expect(settings.filter(({ isMet }) => isMet !== true)).toMatchObject([
      { name, value: 'off', isMet: false },
    ]);
    expect(await store.players.openPlayer({ ...player, balances: { real: '1' } })).toMatchObject({
      account: { currency: 'EUR' },
    });
  });

  test('a store that is in use writes nothing once the server is changed so', async () => {
    const store = open();
    await store.ready();
    await store.players.openPlayer({ ...player, balances: { real: '1' } });
    await set(name, 'off');
    const deposit = { ...player, amount: '1', reference: `late ${name}` };
    const result = await store.players.deposit(deposit);
    expect(result.kind === 'unknown' && result.cause).toBeInstanceOf(StoreUnsafeError);
    await cleanupSetting(name);
    expect(await store.players.deposit(deposit)).toMatchObject({ kind: 'done', replay: false });
  });
});

// A role or a database can set it for its sessions: a first debit would be taken, and its void never.
test('a session that reads NULL in an array as text is refused, also with acceptLoss', async () => {
  const url = new URL(server.url);
  url.searchParams.set('options', '-c array_nulls=off');
  const refused = await open({ url: url.href, acceptLoss: true })
    .ready()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  expect(String(refused)).toContain('array_nulls must be on');
});

// An account that is opened beside a block would not see it: a blocked player could bet (D4.4).
test.each(['repeatable read', 'serializable'])(
  'a session whose transactions are %s is refused, also with acceptLoss',
  async (level) => {
    const url = await server.createDatabase();
    await open({ url }).ready();
    await admin.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation = '${level}'`,
    );
    const refused = await open({ url, init: false, acceptLoss: true })
      .ready()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnsafeError);
    expect(String(refused)).toContain('default_transaction_isolation must be read committed');
  },
);

// A row that is hidden is a player or a round that is not known: a win would be refused for good.
test('a user from whom row security may hide rows is refused, and one that it does not apply to is not', async () => {
  const url = await server.createDatabase();
  await open({ url }).ready();
  const user = `wallet_${new URL(url).pathname.slice(1)}`;
  await poolOf(url).query(`CREATE ROLE ${user} LOGIN;
    GRANT USAGE ON SCHEMA rgs_wallet TO ${user};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA rgs_wallet TO ${user};
    ALTER TABLE rgs_wallet.accounts ENABLE ROW LEVEL SECURITY`);
  const [, other = ''] = url.split('@');
  const hidden = open({ url: `postgres://${user}@${other}`, init: false, acceptLoss: true });
  const refused = await hidden.ready().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  expect(String(refused)).toContain('The row level security of rgs_wallet.accounts applies to');
  await open({ url, init: false }).ready(); // the owner's
  await poolOf(url).query(`ALTER ROLE ${user} BYPASSRLS`);
  await open({ url: `postgres://${user}@${other}`, init: false }).ready();
});

// A managed service sets it when the disk is full. Sessions keep the value that they were opened with.
test('a session that may only read is not used, and a later one that may write is', async () => {
  const url = await server.createDatabase();
  const database = new URL(url).pathname.slice(1);
  await open({ url }).ready();
  await admin.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  const faults: string[] = [];
  const note = (fields: object) => faults.push(JSON.stringify(fields));
  const logger = { info: () => {}, warn: note, error: note };
  const store = open({ url, init: false, logger });
  const opened = store.players.openPlayer({ ...player, balances: { real: '1' } });
  const isReady = store.ready();
  await until('the fault to be seen', () => faults.length > 0);
  expect(faults).toEqual([expect.stringContaining('default_transaction_read_only is on')]);
  await admin.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
  await isReady;
  expect(await opened).toMatchObject({ kind: 'opened' });
});

async function cleanupSetting(name: string): Promise<void> {
  await admin.query(`ALTER SYSTEM RESET ${name}`);
  await reload(name, 'on');
}

test('a session of another’s pool that does not wait for the disk writes nothing', async () => {
  await open().ready();
  const url = `${server.url}?options=-c%20synchronous_commit%3Doff`;
  const lossy = open({ pool: poolOf(url) });
  await expect(lossy.ready()).rejects.toThrow(StoreUnsafeError);
  const opened = await lossy.players.openPlayer({
    ...player,
    playerId: 'q',
    balances: { real: '1' },
  });
  expect(opened).toMatchObject({ kind: 'unknown' });
  expect(await open().rounds.accounts({ ...player, playerId: 'q' })).toMatchObject({
    accounts: null,
  });
});

test.each(['local', 'remote_write', 'remote_apply'])(
  'synchronous_commit %s waits for the server’s own disk, and is safe',
  async (value) => {
    const url = `${server.url}?options=-c%20synchronous_commit%3D${value}`;
    const store = open({ pool: poolOf(url) });
    await store.ready();
    const { kind } = await store.players.openPlayer({
      ...player,
      playerId: value,
      balances: { real: '1' },
    });
    expect(kind).toBe('opened');
  },
);

test('the schema must be there, and a store without it names the command that makes it', async () => {
  const store = open({ url: await server.createDatabase(), init: false });
  await expect(store.ready()).rejects.toThrow(
    'The schema rgs_wallet does not exist: restore its data, or create a new store with `rgs-wallet migrate` or the option init.',
  );
  expect(await store.rounds.load({ ...player, gameRound: 'r' }, [])).toMatchObject({
    kind: 'unknown',
  });
});

test.each([
  [
    // There is none below the first: the number stands for an earlier one.
    'UPDATE rgs_wallet.migrations SET number = -1',
    `is at -1, not ${schemaVersion}: run \`rgs-wallet migrate\``,
  ],
  ["INSERT INTO rgs_wallet.migrations VALUES (999, 'x', 'x')", 'is at 999, newer than'],
  [
    "UPDATE rgs_wallet.migrations SET checksum = 'x'",
    'was applied to the schema rgs_wallet with other',
  ],
])('the schema must be the one of this version: %s', async (change, message) => {
  const url = await server.createDatabase();
  await open({ url }).ready();
  await poolOf(url).query(change);
  const store = open({ url, init: false, acceptLoss: true });
  const refused = await store.ready().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  expect(String(refused)).toContain(message);
});

test('data that were written with other decimals are refused', async () => {
  const url = await server.createDatabase();
  await open({ url, decimals: 2 }).ready();
  await expect(open({ url, decimals: 4, acceptLoss: true }).ready()).rejects.toThrow(
    'The data in the schema rgs_wallet has decimals 2; this store is set to 4.',
  );
});

test('a database that cannot keep every identifier is refused', async () => {
  await admin.query(
    "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
  );
  const store = open({ url: server.url.replace(/postgres$/, 'latin'), init: false });
  await expect(store.ready()).rejects.toThrow("create it with ENCODING 'UTF8'");
});

test('a missing server is unavailable, and no password is repeated', async () => {
  const url = `postgres://me:hush@127.0.0.1:${await freePort()}/d`;
  const refused = await open({ url, connectTimeoutMs: 200 })
    .ready()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnavailableError);
  expect(String(refused)).toContain('ECONNREFUSED');
  expect(String(refused)).not.toContain('hush');
});

test.each<[Partial<PostgresStoreOptions>, string]>([
  [{ url: 'mysql://h/d' }, 'the address of PostgreSQL'],
  [{ schema: 'a"; DROP TABLE x' }, 'schema must be'],
  [{ schema: 'Mine' }, 'schema must be'],
  [{ schema: 'pg_mine' }, 'schema must be'],
  [{ poolSize: 0 }, 'poolSize must be'],
  [{ lockTimeoutMs: 0.5 }, 'lockTimeoutMs must be'],
])('wrong options are refused when the store is made: %j', (options, message) => {
  const make = () => createPostgresStore({ url: 'postgres://h/d', ...options });
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test('either an address or a pool must be set', () => {
  const pool = poolOf(server.url);
  expect(() => createPostgresStore({})).toThrow('set either url or pool');
  expect(() => createPostgresStore({ url: server.url, pool })).toThrow('either url or pool');
});

test('a pool of the user’s own is not closed, nor is anything of it changed', async () => {
  const pool = poolOf(server.url);
  const store = createPostgresStore({ ...patience, pool, init: true });
  await store.ready();
  await store.close();
  const { rows } = await pool.query<{ n: unknown }>('SELECT 1::bigint AS n');
  expect(rows).toEqual([{ n: '1' }]);
  expect(pool.listenerCount('error')).toBe(0);
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'unknown' });
});
