import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { systemClock } from '../../../../lib/platform';
import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createPostgresStore, migratePostgres } from '../../../../lib/operator/stores/postgres';
import { migrateSchema } from '../../../../lib/operator/stores/postgres/schema/migrate';
import { migrations } from '../../../../lib/operator/stores/postgres/schema/migrations';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const names = migrations.map(({ name }) => name);
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let url: string;
let pool: Pool;

beforeEach(async () => {
  url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
});

/** Four migrations, each with a table. */
const small = ['one', 'two', 'three', 'four'].map((name, at) => ({
  number: at + 1,
  name: `00${at + 1}-${name}`,
  source: `CREATE TABLE {schema}.${name} (id int);`,
  checksum: name,
  servesFrom: at + 1,
}));

/** A migration that this version does not have. */
function later(source: string, servesFrom = migrations.length + 1) {
  const number = migrations.length + 1;
  return { number, name: '999-later', source, checksum: 'later', servesFrom };
}

async function applied(schema = 'rgs_wallet'): Promise<string[]> {
  const text = `SELECT name FROM ${schema}.migrations ORDER BY number`;
  const { rows } = await pool.query<{ name: string }>(text);
  return rows.map(({ name }) => name);
}

test('each migration is applied once, in order, and reported', async () => {
  const told: object[] = [];
  const note = (fields: object) => told.push(fields);
  const logger = { info: note, warn: note, error: note };
  const first = await migratePostgres({ url, logger });
  expect(first).toEqual({ applied: names, version: names.length });
  expect(told).toEqual(names.map((migration) => ({ migration, schema: 'rgs_wallet' })));
  expect(await migratePostgres({ url })).toEqual({ applied: [], version: names.length });
  expect(await applied()).toEqual(names);
});

test('of many that migrate at once, one does the work, and all find it done', async () => {
  const reports = await Promise.all(Array.from({ length: 8 }, () => migratePostgres({ url })));
  expect(reports.filter((report) => report.applied.length > 0)).toHaveLength(1);
  expect(reports.every(({ version }) => version === names.length)).toBe(true);
  expect(await applied()).toEqual(names);
});

// A role or a database may have them: docs/operations/postgres.md recommends the first for a user of a pooler.
test.each([
  "statement_timeout = '20ms'",
  "idle_in_transaction_session_timeout = '1ms'",
  "default_transaction_isolation = 'repeatable read'",
  'default_transaction_read_only = on',
])('a database with %s is migrated, also by several at once', async (setting) => {
  const wait = {
    ...later('SELECT pg_sleep(0.05)'),
    number: 1,
    name: '001-wait',
  };
  await pool.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
  const fresh = cleanup.after(new Pool({ connectionString: url }));
  const reports = await Promise.all(
    [1, 2, 3].map(() => migrateSchema(fresh, 'other', undefined, [wait])),
  );
  expect(reports.flatMap((report) => report.applied)).toEqual([wait.name]);
});

test('stores that migrate when they start may start together', async () => {
  const stores = Array.from({ length: 4 }, () =>
    cleanup.after(createPostgresStore({ ...patience, url, init: true, migrate: true })),
  );
  await Promise.all(stores.map((store) => store.ready()));
  expect(await applied()).toEqual(names);
});

test('the time that a migration takes is not taken from that for a connection', async () => {
  let tookMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + tookMs };
  const info = (): void => void (tookMs += patience.connectTimeoutMs);
  const logger = { info, warn: () => undefined, error: () => undefined };
  const store = createPostgresStore({ ...patience, url, init: true, clock, logger });
  await cleanup.after(store).ready();
  expect(tookMs).toBe(names.length * patience.connectTimeoutMs);
});

test('a schema that is older gets what it lacks, in order', async () => {
  await migrateSchema(pool, 'rgs_wallet', undefined, small.slice(0, 2));
  expect(await applied()).toEqual(['001-one', '002-two']);
  const report = await migrateSchema(pool, 'rgs_wallet', undefined, small);
  expect(report).toEqual({ applied: ['003-three', '004-four'], version: 4 });
});

test('a migration that fails leaves nothing of itself and of those before it', async () => {
  const broken = [...migrations, later('CREATE TABLE {schema}.extra (id int); SELECT 1/0')];
  await expect(migrateSchema(pool, 'rgs_wallet', undefined, broken)).rejects.toThrow(
    'division by zero',
  );
  const { rows } = await pool.query("SELECT to_regnamespace('rgs_wallet') AS found");
  expect(rows).toEqual([{ found: null }]);
});

test('a migration that was applied with other content is refused', async () => {
  await migrateSchema(pool, 'rgs_wallet', undefined, small);
  const changed = small.map((migration) =>
    migration.number === 2 ? { ...migration, checksum: 'changed' } : migration,
  );
  const refused = await migrateSchema(pool, 'rgs_wallet', undefined, changed).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  expect(String(refused)).toContain('Migration 002-two was applied');
});

test('a schema of a newer version is refused, and stays as it is', async () => {
  const newer = [...migrations, later('CREATE TABLE {schema}.extra (id int)')];
  await migrateSchema(pool, 'rgs_wallet', undefined, newer);
  const refused = await migratePostgres({ url }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  expect(String(refused)).toContain('which this version does not know');
  expect(await applied()).toEqual([...names, '999-later']);
});

test.each([
  ['with the column serves_from', '24', ''],
  ['without it', 'NULL', 'ALTER TABLE rgs_wallet.migrations DROP COLUMN serves_from'],
])(
  'a schema of the migrations before the first release, %s, is refused by name, and stays as it is',
  async (_, servesFrom, change) => {
    const old = ['001-tables', '002-players', '003-lineage'].map((name, at) => {
      return { ...later('CREATE TABLE IF NOT EXISTS {schema}.old ()'), number: at + 1, name };
    });
    await migrateSchema(pool, 'rgs_wallet', undefined, old);
    await pool.query(`UPDATE rgs_wallet.migrations SET serves_from = ${servesFrom}; ${change}`);
    const store = cleanup.after(
      createPostgresStore({ ...patience, url, migrate: true, init: true }),
    );
    for (const refused of [migratePostgres({ url }), store.ready()]) {
      await expect(refused).rejects.toThrow(StoreUnsafeError);
      await expect(refused).rejects.toThrow('has migration 002-players, which this version does');
    }
    const serving = cleanup.after(createPostgresStore({ ...patience, url }));
    await expect(serving.ready()).rejects.toThrow('is at 3, newer than the 1 of this version');
    expect(await applied()).toEqual(['001-tables', '002-players', '003-lineage']);
  },
);

test('two schemas of one database know nothing of each other', async () => {
  const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
  const [one, other] = ['one', 'select'].map((schema) =>
    cleanup.after(createPostgresStore({ ...patience, url, schema, init: true })),
  );
  await one?.ready();
  await other?.ready();
  await one?.players.openPlayer({ ...player, balances: { real: '1' } });
  expect(await other?.rounds.accounts(player)).toEqual({ kind: 'known', accounts: null });
  expect(await applied('"select"')).toEqual(names);
});

test('what is no address, pool or name of a schema is refused', async () => {
  await expect(migratePostgres({})).rejects.toThrow(TypeError);
  await expect(migratePostgres({ url: 'http://h' })).rejects.toThrow(TypeError);
  await expect(migratePostgres({ url, schema: 'a.b' })).rejects.toThrow(TypeError);
});
