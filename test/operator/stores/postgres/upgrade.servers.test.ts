import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, jest, test } from '@jest/globals';
import { Pool } from 'pg';

import { eventsTo } from '../../../../lib/operator/events';
import { createPostgresStore, migratePostgres } from '../../../../lib/operator/stores/postgres';
import { functions } from '../../../../lib/operator/stores/postgres/schema/functions';
import { statementOf } from '../../../../lib/operator/stores/postgres/schema/statement';
import {
  migratePatiently,
  migrateSchema,
} from '../../../../lib/operator/stores/postgres/schema/migrate';
import {
  migrations,
  readMigrations,
  schemaVersion,
} from '../../../../lib/operator/stores/postgres/schema/migrations';
import { type Logger, silentLogger } from '../../../../lib/platform';
import { openingOf } from '../../../../lib/proof/contracts/changes';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { textOf } from '../../../tidy/source';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const PROGRAMS = 'test/operator/stores/postgres/programs';
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let url: string;
let pool: Pool;

beforeEach(async () => {
  url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
});

/** Migrates as later versions would, each with one more migration that serves programs of these schemas. */
async function migrateLater(servesFrom: readonly number[], source = 'SELECT 1'): Promise<void> {
  const later = servesFrom.map((from, at) => {
    const number = schemaVersion + at + 1;
    return { number, name: `${number}-later`, source, checksum: 'later', servesFrom: from };
  });
  await migrateSchema(pool, 'rgs_wallet', undefined, [...migrations, ...later]);
}

function open() {
  const store = createPostgresStore({ ...patience, url });
  return cleanup.after(store);
}

test('a program serves over a later schema whose migrations serve it, and has nothing to migrate', async () => {
  await migrateLater([schemaVersion, schemaVersion]);
  await open().ready();
  expect(await migratePostgres({ url })).toEqual({ applied: [], version: schemaVersion + 2 });
});

test.each([
  ['one of them', [schemaVersion, schemaVersion + 1, schemaVersion]],
  ['what says nothing', [schemaVersion + 1]],
])('a program refuses a later schema where it is not served by %s', async (_, servesFrom) => {
  await migrateLater(servesFrom);
  await expect(open().ready()).rejects.toThrow(
    `is at ${schemaVersion + servesFrom.length}, newer than the ${schemaVersion} of this version, and does not serve it`,
  );
  await expect(migratePostgres({ url })).rejects.toThrow('which this version does not know');
});

test('a later schema that does not say which programs it serves serves nobody earlier', async () => {
  await migratePostgres({ url });
  await pool.query(
    `INSERT INTO rgs_wallet.migrations (number, name, checksum) VALUES (${schemaVersion + 1}, 'later', 'x')`,
  );
  await expect(open().ready()).rejects.toThrow('does not serve it');
});

test('a folder is one migration of its files, in the order of their names', () => {
  const files = new Map([
    ['001-schema/02-more.sql', 'SELECT 2;\n'],
    ['001-schema/01-first.sql', 'SELECT 1;\n'],
  ]);
  expect(readMigrations(files)).toMatchObject([
    { number: 1, name: '001-schema', source: 'SELECT 1;\n\nSELECT 2;\n', servesFrom: 1 },
  ]);
});

test('a migration says in a line which programs it serves; without the line it serves none before it', () => {
  const files = new Map([
    ['001-one.sql', 'SELECT 1;\n'],
    ['002-two.sql', '-- Adds.\n\n-- Serves programs of schema 1 and later.\n'],
  ]);
  expect(readMigrations(files).map(({ servesFrom }) => servesFrom)).toEqual([1, 1]);
  files.set('003-three.sql', '-- Serves programs of schema 4 and later.\n');
  expect(() => readMigrations(files)).toThrow('003-three.sql serves from 4');
});

test('a migration gives up where another session holds a table, changes nothing, and calls go on', async () => {
  await migratePostgres({ url });
  const store = open();
  await store.ready();
  const end = await holdTable();
  const migrating = migrateLater(
    [schemaVersion],
    'ALTER TABLE {schema}.rounds ADD COLUMN note text',
  ).catch((error: unknown) => String(error));
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
  expect((await store.rounds.commit(round, openingOf([]))).kind).toBe('committed');
  expect(await migrating).toContain(
    'Another session holds a table of the schema rgs_wallet: nothing',
  );
  await end();
  expect((await migratePostgres({ url })).version).toBe(schemaVersion);
  await migrateLater([schemaVersion], 'ALTER TABLE {schema}.rounds ADD COLUMN note text');
});

/** Holds a table, as a report does with this statement; what it hands back ends the report. */
async function holdTable(
  statement = 'SELECT count(*) FROM rgs_wallet.rounds',
): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query(`BEGIN; ${statement}`);
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/** A schema without its migrations, and a session that holds the table of them. */
async function heldSchema(): Promise<() => Promise<void>> {
  await migrateSchema(pool, 'rgs_wallet', undefined, []);
  return holdTable('LOCK TABLE rgs_wallet.migrations');
}

/** A logger, and its first warning. */
function warned() {
  const logger: { -readonly [K in keyof Logger]: Logger[K] } = { ...silentLogger };
  const heard = new Promise<object>((resolve) => {
    logger.warn = (fields, message) => resolve({ ...fields, message });
  });
  return { heard, logger };
}

test('a migration that found a table held says so once, and tries again until the session has ended', async () => {
  const end = await heldSchema();
  const { heard, logger } = warned();
  const migrating = migratePostgres({ url, logger });
  expect(await heard).toEqual({
    schema: 'rgs_wallet',
    retryForMs: 30_000,
    message: expect.stringContaining('tries again'),
  });
  await end();
  expect((await migrating).applied).toHaveLength(schemaVersion);
});

test('a store that migrates waits for the table too, and can be closed meanwhile', async () => {
  const end = await heldSchema();
  const opened = Array.from({ length: 2 }, () => {
    const { heard, logger } = warned();
    const store = createPostgresStore({ ...patience, url, init: true, logger });
    return { heard, store: cleanup.after(store) };
  });
  const [closed, waiting] = await Promise.all(
    opened.map(({ heard, store }) => {
      const ready = store.ready().catch(String);
      return heard.then(() => ({ ready, store }));
    }),
  );
  await closed?.store.close();
  expect(await closed?.ready).toContain('The store is closed');
  await end();
  expect(await waiting?.ready).toBeUndefined();
});

test('without time to try again, a migration gives up at its first attempt', async () => {
  const end = await heldSchema();
  const warn = jest.fn();
  const logger = { ...silentLogger, warn };
  await expect(migratePostgres({ url, retryForMs: 0, logger })).rejects.toThrow(
    'nothing was changed',
  );
  expect(warn).not.toHaveBeenCalled();
  await end();
});

test.each([-1, 0.5, Number.NaN])('a migration cannot try again for %d ms', async (retryForMs) => {
  await expect(migratePostgres({ url, retryForMs })).rejects.toThrow(
    new TypeError('retryForMs must be a whole number of milliseconds of at least 0'),
  );
});

test.each([
  ['waited too long for a table', '55P03', 2],
  ['was chosen to end a deadlock', '40P01', 2],
  ['failed by itself', '22012', 1],
])('a migration that %s (%s) is tried %d times', async (_, state, tries) => {
  await pool.query('CREATE SEQUENCE tries'); // a rollback does not set it back
  const source = `DO $$ BEGIN
    IF nextval('public.tries') = 1 THEN RAISE SQLSTATE '${state}'; END IF;
  END $$`;
  const last = { number: schemaVersion + 1, name: 'next', source, checksum: 'x', servesFrom: 1 };
  const run = { events: eventsTo(), migrations: [...migrations, last] };
  const migrated = await migratePatiently(pool, 'rgs_wallet', run).then(
    ({ version }) => version,
    () => 'failed',
  );
  expect(migrated).toBe(tries === 1 ? 'failed' : schemaVersion + 1);
  expect((await pool.query('SELECT last_value::int FROM tries')).rows).toEqual([
    { last_value: tries },
  ]);
});

/** The statements of each version that the schema serves, by the number of its schema. */
const programs = new Map(
  readdirSync(join(__dirname, 'programs')).map((file) => {
    const text = textOf(`${PROGRAMS}/${file}`).replace(/^--.*\n/gm, '');
    return [Number.parseInt(file, 10), text.split(';\n').filter((one) => one.trim() !== '')];
  }),
);

test('the statements of this version are the latest in programs/, so that later versions are held to them', () => {
  const statements = Object.values(functions).map(
    (called) => statementOf(called, 'rgs_wallet').text,
  );
  const latest = programs.get(Math.max(...programs.keys())) ?? [];
  expect([...new Set(latest)].toSorted()).toEqual([...new Set(statements)].toSorted());
});

test('every version that the schema says it serves finds the functions that it calls', async () => {
  await migratePostgres({ url });
  for (const [number, statements] of programs) {
    const later = migrations.filter((migration) => migration.number > number);
    if (later.some(({ servesFrom }) => servesFrom > number)) continue;
    expect(statements.length).toBeGreaterThan(20);
    for (const [at, text] of statements.entries()) {
      await pool.query(`PREPARE of_${number}_${at} AS ${text}`);
    }
  }
});
