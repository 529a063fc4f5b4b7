import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { moveInPostgres, readBalanceInPostgres, type Rows } from '../hand-written/postgres-money';
import { currency, poolSize, startCents } from '../terms';
import type { Contestant } from './contestant';
import { createHandWrittenApp } from './express-redis';

const schema = readFileSync(join(__dirname, '../hand-written/schema.sql'), 'utf8');

const entries = `CREATE TABLE entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  player_id text NOT NULL,
  currency text NOT NULL,
  game_round text NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL, -- cents
  hash text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
)`;

/** Express 5 and pg as a competent engineer writes it without a kit: one transaction for a call. */
export const expressPostgres: Contestant = handWritten('hand-written: Express 5, pg', {});

/** The same, with a row of the platform's own for each movement. */
export const expressPostgresEntries: Contestant = handWritten(
  'hand-written: Express 5, pg, a row for each movement',
  { hasEntries: true },
);

function handWritten(title: string, rows: Rows): Contestant {
  return {
    title,
    server: 'postgres',
    prepare: (url, players) =>
      withPool(url, async (pool) => {
        await pool.query(schema);
        if (rows.hasEntries === true) await pool.query(entries);
        await pool.query('INSERT INTO accounts SELECT unnest($1::text[]), $2, $3', [
          players,
          currency,
          startCents,
        ]);
      }),
    balances: (url, players) =>
      withPool(url, async (pool) => {
        const found = await pool.query<{ player_id: string; balance: string }>(
          'SELECT player_id, balance FROM accounts',
        );
        const cents = new Map(
          found.rows.map(({ player_id, balance }) => [player_id, Number(balance)]),
        );
        return players.map((playerId) => cents.get(playerId) ?? Number.NaN);
      }),
    async start(url) {
      const pool = new Pool({ connectionString: url, max: poolSize });
      pool.on('error', () => {}); // of an idle connection; the next query opens another
      return createHandWrittenApp({
        move: (call) => moveInPostgres(pool, call, rows),
        readBalance: (call) => readBalanceInPostgres(pool, call),
      });
    },
  };
}

/** Works with a pool, and ends it. */
export async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString: url, max: 4 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
