import { beforeEach, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Pool } from 'pg';

import {
  createOwnTablesStore,
  createPostgresStore,
  migratePostgres,
} from '../../../../lib/operator/stores/postgres';
import { migrateSchema } from '../../../../lib/operator/stores/postgres/schema/migrate';
import { migrations } from '../../../../lib/operator/stores/postgres/schema/migrations';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { openingOf, take } from '../../../../lib/proof/contracts/changes';
import { startLoadScene } from '../../../rgs/load/scene';
import { exampleSql } from '../../../servers/postgres/own-tables';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const GUIDE = join(__dirname, '../../../../docs/operations/postgres.md');
const ann = { operatorId: 'op', playerId: 'ann', currency: 'EUR' };
/** A migration of a version to come. */
const later = {
  number: migrations.length + 1,
  name: '999-later',
  source: 'CREATE TABLE {schema}.later (id int)',
  checksum: 'later',
  servesFrom: migrations.length + 1,
};

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let admin: Pool;
let owner: string;
let wallet: string;

/** A database prepared as the guide has it. */
beforeEach(async () => {
  const url = await server().createDatabase();
  [owner, wallet] = ['wallet_owner', 'wallet'].map((user) =>
    url.replace('postgres@', `${user}@`),
  ) as [string, string];
  admin = poolOf(url);
  const [, statements = ''] =
    /```sql\n([^`]*CREATE ROLE wallet [^`]*)```/.exec(await readFile(GUIDE, 'utf8')) ?? [];
  await admin.query(statements);
  cleanup.after(admin, (pool) =>
    pool.query(
      'DROP SCHEMA rgs_wallet CASCADE; DROP OWNED BY wallet; DROP OWNED BY wallet_owner; DROP ROLE wallet, wallet_owner',
    ),
  );
});

function poolOf(url: string): Pool {
  return cleanup.after(new Pool({ connectionString: url }));
}

function open(url: string, poolSize = 10): AccountStore {
  const store = createPostgresStore({ ...patience, url, poolSize });
  return cleanup.after(store);
}

test('one user migrates with its own schema alone, the other serves with the rights of the guide', async () => {
  expect((await migratePostgres({ url: owner })).applied).toHaveLength(migrations.length);
  const store = open(wallet);
  await store.ready();
  const opened = await store.players.openPlayer({ ...ann, balances: { real: '5' } });
  expect(opened).toMatchObject({ kind: 'opened' });
  expect(await store.players.deposit({ ...ann, amount: '2', reference: 'd' })).toMatchObject({
    kind: 'done',
  });
  expect(await store.players.withdraw({ ...ann, amount: '1', reference: 'w' })).toMatchObject({
    kind: 'done',
  });
  expect(await store.players.setBlocked(ann, true)).toMatchObject({ kind: 'done' });
  const { rows } = await poolOf(wallet).query('SELECT rgs_wallet.forget_expired(1, NULL)');
  expect(rows).toHaveLength(1);
});

test('the rights of the guide suffice where new functions are closed to PUBLIC', async () => {
  const closed =
    'ALTER DEFAULT PRIVILEGES FOR ROLE wallet_owner REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC';
  await admin.query(closed);
  await migratePostgres({ url: owner });
  const store = open(wallet);
  await store.ready();
  const opened = await store.players.openPlayer({ ...ann, balances: { real: '5' } });
  expect(opened).toMatchObject({ kind: 'opened' });
});

test("over the platform's own tables the user that serves needs EXECUTE alone, and ready says where it is missing", async () => {
  await admin.query(exampleSql('platform'));
  cleanup.after(admin, (pool) => pool.query('DROP SCHEMA casino CASCADE'));
  await migratePostgres({ url: owner });
  await admin.query(exampleSql('functions')); // owned by the owner of the platform's tables
  const functions = 'FUNCTION rgs_wallet.move_money, rgs_wallet.accounts_of';
  await admin.query(`REVOKE ALL ON ${functions} FROM PUBLIC`);
  const store = cleanup.after(createOwnTablesStore({ ...patience, url: wallet }));
  await expect(store.ready()).rejects.toThrow('The user wallet may not EXECUTE move_money');
  await admin.query(`GRANT EXECUTE ON ${functions} TO wallet`);
  await store.ready();
  const playerId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  await admin.query("INSERT INTO casino.wallets VALUES ($1, 'EUR', 1, NULL)", [playerId]);
  const round = { operatorId: 'casino', playerId, gameRound: 'r' };
  const committed = await store.rounds.commit(round, openingOf([take('d', 4000n)]));
  expect(committed).toMatchObject({ kind: 'committed', accounts: [{ real: 6000n }] });
  await expect(poolOf(wallet).query('SELECT FROM casino.wallets')).rejects.toThrow(
    'permission denied for schema casino',
  );
});

test.each([
  'CREATE TABLE rgs_wallet.mine (id int)',
  'CREATE SCHEMA mine',
  'ALTER TABLE rgs_wallet.accounts DROP COLUMN bonus',
  'DROP FUNCTION rgs_wallet.forget_expired',
  'TRUNCATE rgs_wallet.cash',
])('the user that serves may not: %s', async (statement) => {
  await migratePostgres({ url: owner });
  await expect(poolOf(wallet).query(statement)).rejects.toThrow(/permission denied|must be owner/);
});

test('the user that serves cannot migrate, and the error says what is not permitted', async () => {
  await expect(migratePostgres({ url: wallet })).rejects.toThrow('permission denied for schema');
  await expect(open(wallet).ready()).rejects.toThrow('with `rgs-wallet migrate`');
});

test('a play goes on while somebody migrates to what is there already', async () => {
  await migratePostgres({ url: owner });
  const store = open(wallet);
  await store.ready();
  const scene = cleanup.after(await startLoadScene(store, { connections: 8 }));
  await scene.processed(50);
  const reports = await Promise.all([1, 2, 3].map(() => migratePostgres({ url: owner })));
  expect(reports.flatMap(({ applied }) => applied)).toEqual([]);
  await scene.processed(50);
  expect(await scene.finish()).toEqual([]);
});

test('once a later version has migrated to what does not serve an older one, that one opens no connection, and has the rights of the later tables', async () => {
  await migratePostgres({ url: owner });
  const [running, starting] = [open(wallet, 1), open(wallet)];
  await running.ready();
  await running.players.openPlayer({ ...ann, balances: { real: '5' } });
  await migrateSchema(poolOf(owner), 'rgs_wallet', undefined, [...migrations, later]);
  expect(await running.rounds.accounts(ann)).toMatchObject({ kind: 'known' });
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'wallet'",
  );
  expect(await running.rounds.accounts(ann)).toMatchObject({ kind: 'unknown' });
  await expect(starting.ready()).rejects.toThrow('newer than');
  await poolOf(wallet).query('INSERT INTO rgs_wallet.later VALUES (1)');
});
