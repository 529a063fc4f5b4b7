import { Pool, type PoolConfig } from 'pg';

import { moneyFunctions } from '../../../lib/cli/own-tables-sql';
import { createOwnTablesStore, migratePostgres } from '../../../lib/operator/stores/postgres';
import type { ContractPlayers, ContractWallet, OneOperator } from '../../../lib/proof';

/** A platform with a plain table, and the flags of `rgs-wallet money-functions` that name it. */
export interface PlainTable {
  readonly tables: string;
  readonly flags: readonly string[];
  readonly hasBonus: boolean;
  readonly hasOperator: boolean;
  /** Units in an amount of 1. */
  readonly scale: string;
  readonly playerId: OneOperator['playerId'];
}

export const plainTables = {
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
} satisfies Readonly<Record<string, PlainTable>>;

/** The first of them, which most tests use. */
export const plainTable = plainTables['with operators, texts and units'];

/** How the platform opens, funds and blocks players, and the rows that game rounds wrote. */
export function playersOfTable(
  pool: Pool,
  { hasOperator, hasBonus, scale }: PlainTable,
): ContractPlayers {
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

/** A platform whose own table holds the money. */
export interface PlainPlatform {
  /** Its own connections. */
  readonly pool: Pool;
  readonly players: ContractPlayers;
  /** A wallet store over its table, for the suites. */
  wallet(options: OwnTablesOptions): PlainTableWallet;
  /** Closes its connections; not the stores. */
  end(): Promise<void>;
}

type OwnTablesOptions = Parameters<typeof createOwnTablesStore>[0];

type PlainTableWallet = ContractWallet & {
  readonly store: ReturnType<typeof createOwnTablesStore>;
};

/**
 * Makes the first of the tables in an empty database, with the schema of the wallet and the two functions. The
 * connections survive a server that dies.
 */
export async function startPlainPlatform(
  url: string,
  settings: PoolConfig = {},
): Promise<PlainPlatform> {
  const pool = new Pool({ ...settings, connectionString: url });
  pool.on('error', () => undefined);
  await preparePlainTable(pool);
  const players = playersOfTable(pool, plainTable);
  return {
    pool,
    players,
    wallet: (options) => ({
      store: createOwnTablesStore({ ...options, acceptMixed: true }),
      players,
      isAtomic: true,
    }),
    end: () => pool.end(),
  };
}

/** Makes the first of the tables in an empty database, with the schema of the wallet and the two functions. */
export async function preparePlainTable(pool: Pool): Promise<void> {
  await pool.query(`CREATE SCHEMA casino; ${plainTable.tables}`);
  await migratePostgres({ pool });
  const columns = { player: '"user"', operator: 'operator', currency: { column: 'currency' } };
  const table = moneyFunctions({
    ...columns,
    table: 'casino.accounts',
    playerType: 'text',
    money: 'bigint',
    balance: 'real',
    bonus: 'bonus',
    blocked: '"isBlocked"',
    entries: 'casino.entries',
    decimals: 4,
    schema: 'rgs_wallet',
  });
  await pool.query(table);
}
