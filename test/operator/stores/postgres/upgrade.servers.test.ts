import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore, migratePostgres } from '../../../../lib/operator/stores/postgres';
import { functions, statementOf } from '../../../../lib/operator/stores/postgres/schema/functions';
import { migrateSchema } from '../../../../lib/operator/stores/postgres/schema/migrate';
import {
  migrations,
  readMigrations,
  schemaVersion,
} from '../../../../lib/operator/stores/postgres/schema/migrations';
import { openingOf } from '../../../../lib/proof/contracts/changes';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { temporaryFolder } from '../../../servers/reaper';
import { patience } from '../../../support/patience';
import { textOf } from '../../../tidy/source';

const PROGRAMS = 'test/operator/stores/postgres/programs';
const cleanup = new Cleanup();
let server: PostgresServer;
let url: string;
let pool: Pool;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

beforeEach(async () => {
  url = await server.createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }), (made) => made.end());
});

afterEach(() => cleanup.run());

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
  return cleanup.after(store, (opened) => opened.close());
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

test('a later schema that was migrated by a version without the column serves nobody earlier', async () => {
  await migratePostgres({ url });
  await pool.query(
    `INSERT INTO rgs_wallet.migrations (number, name, checksum) VALUES (${schemaVersion + 1}, 'later', 'x')`,
  );
  await expect(open().ready()).rejects.toThrow('does not serve it');
});

test('a table of migrations without the column gets it', async () => {
  await migratePostgres({ url });
  await pool.query('ALTER TABLE rgs_wallet.migrations DROP COLUMN serves_from');
  await open().ready();
  await migrateLater([schemaVersion]);
  await open().ready();
});

test('a migration says in a line which programs it serves; without the line it serves none before it', async () => {
  const folder = await temporaryFolder('migrations');
  await writeFile(join(folder, '001-one.sql'), 'SELECT 1;\n');
  await writeFile(
    join(folder, '002-two.sql'),
    '-- Adds.\n\n-- Serves programs of schema 1 and later.\n',
  );
  expect(readMigrations(folder).map(({ servesFrom }) => servesFrom)).toEqual([1, 1]);
  await writeFile(join(folder, '003-three.sql'), '-- Serves programs of schema 4 and later.\n');
  expect(() => readMigrations(folder)).toThrow('003-three.sql serves from 4');
});

test('a migration gives up where another session holds a table, changes nothing, and calls go on', async () => {
  await migratePostgres({ url });
  const store = open();
  await store.ready();
  const report = await pool.connect();
  await report.query('BEGIN; SELECT count(*) FROM rgs_wallet.rounds');
  const migrating = migrateLater(
    [schemaVersion],
    'ALTER TABLE {schema}.rounds ADD COLUMN note text',
  ).catch((error: unknown) => String(error));
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
  expect((await store.commit(round, openingOf([]))).kind).toBe('committed');
  expect(await migrating).toContain(
    'Another session holds a table of the schema rgs_wallet: nothing',
  );
  await report.query('ROLLBACK');
  report.release();
  expect((await migratePostgres({ url })).version).toBe(schemaVersion);
  await migrateLater([schemaVersion], 'ALTER TABLE {schema}.rounds ADD COLUMN note text');
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
