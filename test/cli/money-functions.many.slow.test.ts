import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Pool } from 'pg';

import { createOwnTablesStore, migratePostgres } from '../../lib/operator/stores/postgres';
import {
  type ContractStoreOptions,
  ownTablesContract,
  walletStoreContract,
  walletStoreHistories,
} from '../../lib/proof';
import { openingOf, take } from '../../lib/proof/contracts/changes';
import { plainTables, playersOfTable } from '../servers/postgres/plain-table';
import { type PostgresServer, startPostgres } from '../servers/postgres/server';
import { patience } from '../support/patience';
import { firstOf, runs } from '../support/runs';
import { runCli } from './cli';

let server: PostgresServer;
const pools: Pool[] = [];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
  await server.stop();
});

/** The functions that the command prints. */
async function printed(flags: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(['money-functions', ...flags]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** A database with the tables and the printed functions. */
async function prepared(
  tables: string,
  flags: readonly string[],
): Promise<{ url: string; pool: Pool }> {
  const url = await server.createDatabase();
  const pool = new Pool({ connectionString: url });
  pools.push(pool);
  await pool.query(`CREATE SCHEMA casino; ${tables}`);
  await migratePostgres({ pool });
  await pool.query(await printed(flags));
  return { url, pool };
}

const runner = { describe, it, afterAll };
const round = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };

describe.each(firstOf(Object.entries(plainTables), 1))(
  'the printed functions over a table %s',
  (_, platform) => {
    let made: Promise<{ url: string; pool: Pool }> | null = null;
    const createStore = async (options: ContractStoreOptions) => {
      made ??= prepared(platform.tables, platform.flags);
      const { url, pool } = await made;
      const { hasOperator, playerId } = platform;
      return {
        store: createOwnTablesStore({ ...options, ...patience, url, acceptMixed: true }),
        players: playersOfTable(pool, platform),
        isAtomic: true,
        ...(hasOperator ? {} : { oneOperator: { operatorId: 'casino', playerId } }),
      };
    };
    const { hasBonus } = platform;
    walletStoreContract({ runner, createStore, hasBonus, follows: true });
    ownTablesContract({ runner, createStore, hasBonus });
    walletStoreHistories({ runner, createStore, hasBonus, histories: runs(60, 5) });
  },
);

test('a table without a currency has accounts in the one that is named', async () => {
  const tables = 'CREATE TABLE casino.accounts (player text PRIMARY KEY, balance numeric)';
  const flags = '--table casino.accounts --player player --currency-code EUR --decimals 2'.split(
    ' ',
  );
  const { url, pool } = await prepared(tables, flags);
  await pool.query("INSERT INTO casino.accounts VALUES ('ann', 12.345)");
  const store = createOwnTablesStore({ ...patience, url, decimals: 2 });
  await store.ready();
  expect(await store.rounds.commit(round, openingOf([take('d', 1235n)]))).toMatchObject({
    reason: 'tooLow',
  });
  expect(
    await store.rounds.commit(round, openingOf([take('d', 1n, { currency: 'USD' })])),
  ).toMatchObject({
    reason: 'noCurrency',
  });
  expect(await store.rounds.commit(round, openingOf([take('d', 1234n)]))).toMatchObject({
    kind: 'committed',
    accounts: [{ currency: 'EUR', real: 0n, bonus: null }],
  });
  const { rows } = await pool.query('SELECT balance FROM casino.accounts');
  expect(rows).toEqual([{ balance: '0.005' }]);
  await store.close();
});

const plainFlags = '--table casino.accounts --player player --entries casino.entries'.split(' ');
const entriesTable =
  'CREATE TABLE casino.entries (player text, currency text, kind text, balance numeric, game_round text, hash text);';

/** A store over a table of plain text and amounts, and its balances. */
async function plainStore(tables: string) {
  const { url, pool } = await prepared(`${entriesTable} ${tables}`, plainFlags);
  const store = createOwnTablesStore({ ...patience, url });
  const balances = async () => {
    const { rows } = await pool.query<{ balance: string }>('SELECT balance FROM casino.accounts');
    return rows.map(({ balance }) => Number(balance));
  };
  return { store, pool, balances };
}

test('a column with fewer decimals than the store is found by ready, and no amount is rounded', async () => {
  const { store, balances } = await plainStore(
    `CREATE TABLE casino.accounts (player text PRIMARY KEY, currency text, balance numeric(20, 2));
     INSERT INTO casino.accounts VALUES ('ann', 'EUR', 10)`,
  );
  const reason = 'casino.accounts cannot hold % exactly: the wallet has 4 decimals';
  await expect(store.ready()).rejects.toThrow(reason.replace('%', '0.0001'));
  expect(await store.rounds.commit(round, openingOf([take('d', 50n)]))).toMatchObject({
    kind: 'unknown',
    cause: { message: expect.stringContaining(reason.replace('%', '-0.0050')) },
  });
  expect(await balances()).toEqual([10]);
  await store.close();
});

test('a table with several rows of a player in a currency has none of them changed, and the call is unknown', async () => {
  const { store, balances } = await plainStore(
    `CREATE TABLE casino.accounts (operator text, player text, currency text, balance numeric);
     INSERT INTO casino.accounts VALUES ('casino', 'ann', 'EUR', 10), ('other', 'ann', 'EUR', 50)`,
  );
  const committed = await store.rounds.commit(round, openingOf([take('d', 100n)]));
  expect(committed).toMatchObject({
    kind: 'unknown',
    cause: { message: expect.stringContaining('casino.accounts has 2 rows of a player') },
  });
  expect(await balances()).toEqual([10, 50]);
  await store.close();
});

test('entries that a trigger keeps elsewhere are written, and the movement is not refused for them', async () => {
  const { store, pool, balances } = await plainStore(
    `CREATE TABLE casino.accounts (player text PRIMARY KEY, currency text, balance numeric);
     INSERT INTO casino.accounts VALUES ('ann', 'EUR', 10);
     CREATE TABLE casino.this_year () INHERITS (casino.entries);
     CREATE FUNCTION casino.elsewhere() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN INSERT INTO casino.this_year SELECT NEW.*; RETURN NULL; END';
     CREATE TRIGGER elsewhere BEFORE INSERT ON casino.entries FOR EACH ROW EXECUTE FUNCTION casino.elsewhere()`,
  );
  expect(await store.rounds.commit(round, openingOf([take('d', 10_000n)]))).toMatchObject({
    kind: 'committed',
    accounts: [{ real: 90_000n }],
  });
  expect(await balances()).toEqual([9]);
  expect((await pool.query('SELECT FROM casino.entries')).rowCount).toBe(1);
  await store.close();
});

test('an account that a trigger leaves as it was is not said to be missing: the call is unknown', async () => {
  const { store, balances } = await plainStore(
    `CREATE TABLE casino.accounts (player text PRIMARY KEY, currency text, balance numeric);
     INSERT INTO casino.accounts VALUES ('ann', 'EUR', 10);
     CREATE FUNCTION casino.frozen() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
     CREATE TRIGGER frozen BEFORE UPDATE ON casino.accounts FOR EACH ROW EXECUTE FUNCTION casino.frozen()`,
  );
  expect(await store.rounds.commit(round, openingOf([take('d', 10_000n)]))).toMatchObject({
    kind: 'unknown',
  });
  expect(await balances()).toEqual([10]);
  await store.close();
});

test('the command of docs/own-tables.md gives EXECUTE to the user it names, and to nobody else', async () => {
  const page = readFileSync(join(__dirname, '../../docs/own-tables.md'), 'utf8');
  const [, line = ''] = /^rgs-wallet money-functions (.*)$/m.exec(page) ?? [];
  const sql = await printed(line.split(' '));
  expect(sql).toContain(
    'FROM PUBLIC;\nGRANT EXECUTE ON FUNCTION rgs_wallet.accounts_of, rgs_wallet.move_money TO wallet;\n',
  );
  expect(sql).toContain('w.user_id = CASE WHEN of_player ~');
});

test.each([
  [['--table', 'wallets', '--player', 'id'], '--table must be schema.table'],
  [['--table', 'casino.wallets; DROP', '--player', 'id'], '--table must be schema.table'],
  [['--table', 'casino.wallets', '--player', 'id"'], '--player must be a name'],
  [
    ['--table', 'casino.wallets', '--player', 'id', '--currency-code', "E'R"],
    '--currency-code must be',
  ],
  [['--player', 'id'], "required option '--table"],
  [
    ['--table', 'casino.wallets', '--player', 'id', '--player-type', 'int'],
    'Allowed choices are text, uuid, bigint',
  ],
])('%j is refused in one line', async (flags, message) => {
  const { code, stdout, stderr } = await runCli(['money-functions', ...flags]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).toContain(message);
});
