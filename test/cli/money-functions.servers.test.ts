import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Pool } from 'pg';

import { createOwnTablesStore, migratePostgres } from '../../lib/operator/stores/postgres';
import {
  type ContractPlayers,
  type ContractStoreOptions,
  type OneOperator,
  ownTablesContract,
  walletStoreContract,
  walletStoreHistories,
} from '../../lib/proof';
import { openingOf, take } from '../../lib/proof/contracts/changes';
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

/** A platform with a plain table, and the flags that name it. */
interface Platform {
  readonly tables: string;
  readonly flags: readonly string[];
  readonly hasBonus: boolean;
  readonly hasOperator: boolean;
  /** Units in an amount of 1. */
  readonly scale: string;
  readonly playerId: OneOperator['playerId'];
}

const platforms: Readonly<Record<string, Platform>> = {
  'with operators, texts and units': {
    tables: `CREATE TABLE casino.accounts (operator text, "user" text, currency text, real bigint, bonus bigint, "isBlocked" boolean
        DEFAULT false, PRIMARY KEY (operator, "user", currency));
      CREATE TABLE casino.entries (id bigserial, operator text, "user" text, currency text, kind text, real bigint, bonus bigint,
        game_round text, hash text)`,
    flags:
      '--table casino.accounts --player user --operator operator --balance real --balance-type bigint --bonus bonus --blocked isBlocked --entries casino.entries'.split(
        ' ',
      ),
    hasBonus: true,
    hasOperator: true,
    scale: '1',
    playerId: (digits) => digits,
  },
  'with uuids and amounts, without bonus money': {
    tables: `CREATE TABLE casino.accounts (id bigserial, "user" uuid, currency text, real numeric(24, 6), "isBlocked" boolean
        DEFAULT false, PRIMARY KEY ("user", currency));
      CREATE TABLE casino.entries (id bigserial, "user" uuid, currency text, kind text, real numeric, game_round text, hash text)`,
    flags:
      '--table casino.accounts --player user --player-type uuid --balance real --blocked isBlocked --entries casino.entries'.split(
        ' ',
      ),
    hasBonus: false,
    hasOperator: false,
    scale: '10000',
    playerId: (digits) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
  },
  'with numbers, amounts and bonus money': {
    tables: `CREATE TABLE casino.accounts ("user" bigint, currency text, real numeric, bonus numeric, "isBlocked" boolean DEFAULT false,
        PRIMARY KEY ("user", currency));
      CREATE TABLE casino.entries (id bigserial, "user" bigint, currency text, kind text, real numeric, bonus numeric,
        game_round text, hash text)`,
    flags:
      '--table casino.accounts --player user --player-type bigint --balance real --bonus bonus --blocked isBlocked --entries casino.entries'.split(
        ' ',
      ),
    hasBonus: true,
    hasOperator: false,
    scale: '10000',
    playerId: (digits) => String(BigInt(`0x${digits.slice(0, 14)}`)),
  },
};

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

function playersOf(pool: Pool, { hasOperator, hasBonus, scale }: Platform): ContractPlayers {
  const key = hasOperator
    ? '"user" = $1 AND operator = $2'
    : '"user" = $1 AND $2::text IS NOT NULL';
  const move: ContractPlayers['deposit'] = async ({
    operatorId,
    playerId,
    currency,
    amount,
    balance = 'real',
  }) => {
    const after = `coalesce(${balance}, 0) + $4::bigint / ${scale}::numeric`;
    const { rowCount } = await pool.query(
      `UPDATE casino.accounts SET ${balance} = ${after} WHERE ${key} AND currency = $3
       AND ($4::bigint >= 0 OR ${after} >= 0)`,
      [playerId, operatorId, currency, amount.units],
    );
    return { kind: rowCount === 1 ? 'done' : 'refused' };
  };
  return {
    openPlayer: ({ operatorId, playerId, currency, balances: { real, bonus } }) =>
      pool.query(
        `INSERT INTO casino.accounts (${hasOperator ? 'operator, ' : ''}"user", currency, real${hasBonus ? ', bonus' : ''})
         SELECT ${hasOperator ? '$1, ' : ''}$2, $3, $4::bigint / ${scale}::numeric${hasBonus ? `, $5::bigint / ${scale}::numeric` : ''}
         WHERE $1::text IS NOT NULL AND coalesce($5::bigint, 0) >= 0`,
        [operatorId, playerId, currency, real.units, bonus?.units],
      ),
    deposit: move,
    withdraw: (order) => move({ ...order, amount: { units: -order.amount.units } }),
    setBlocked: ({ operatorId, playerId }, blocked) =>
      pool.query(`UPDATE casino.accounts SET "isBlocked" = $3 WHERE ${key}`, [
        playerId,
        operatorId,
        blocked,
      ]),
    moved: async ({ operatorId, playerId }) => {
      const { rows } = await pool.query<{
        currency: string;
        hash: string;
        real: string;
        bonus: string;
      }>(
        `SELECT currency, hash, (real * ${scale})::bigint AS real, ${hasBonus ? `(bonus * ${scale})::bigint` : '0'} AS bonus
         FROM casino.entries WHERE ${key}`,
        [playerId, operatorId],
      );
      return rows.map(({ real, bonus, ...row }) => ({
        ...row,
        real: BigInt(real),
        bonus: BigInt(bonus),
      }));
    },
  };
}

const runner = { describe, it, afterAll };

describe.each(firstOf(Object.entries(platforms), 1))(
  'the printed functions over a table %s',
  (_, platform) => {
    let made: Promise<{ url: string; pool: Pool }> | null = null;
    const createStore = async (options: ContractStoreOptions) => {
      made ??= prepared(platform.tables, platform.flags);
      const { url, pool } = await made;
      const { hasOperator, playerId } = platform;
      return {
        store: createOwnTablesStore({ ...options, ...patience, url }),
        players: playersOf(pool, platform),
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
  const round = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };
  expect(await store.commit(round, openingOf([take('d', 1235n)]))).toMatchObject({
    reason: 'tooLow',
  });
  expect(await store.commit(round, openingOf([take('d', 1n, { currency: 'USD' })]))).toMatchObject({
    reason: 'noCurrency',
  });
  expect(await store.commit(round, openingOf([take('d', 1234n)]))).toMatchObject({
    kind: 'committed',
    accounts: [{ currency: 'EUR', real: 0n, bonus: null }],
  });
  const { rows } = await pool.query('SELECT balance FROM casino.accounts');
  expect(rows).toEqual([{ balance: '0.005' }]);
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
