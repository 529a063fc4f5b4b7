import { moneyFunctions } from '../../lib/cli/own-tables-sql';
import { createServer } from '../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../lib/operator/express/router';
import { createOwnTablesStore, migratePostgres } from '../../lib/operator/stores/postgres';
import { currency, poolSize, startCents } from '../terms';
import type { Contestant } from './contestant';
import { createApp } from './express-app';
import { withPool } from './express-postgres';
import { operators } from './kit-accounts';

const platform = `
  CREATE SCHEMA casino;
  CREATE TABLE casino.wallets (
    player_id text NOT NULL,
    currency text NOT NULL,
    balance numeric(20, 4) NOT NULL,
    bonus numeric(20, 4),
    locked boolean NOT NULL DEFAULT false,
    PRIMARY KEY (player_id, currency)
  );
  CREATE TABLE casino.entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id text NOT NULL,
    currency text NOT NULL,
    kind text NOT NULL,
    balance numeric(20, 4) NOT NULL,
    bonus numeric(20, 4) NOT NULL,
    game_round text,
    hash text,
    at timestamptz NOT NULL DEFAULT now()
  )`;

/** As `rgs-wallet money-functions` prints them. */
const functions = moneyFunctions({
  table: 'casino.wallets',
  player: 'player_id',
  playerType: 'text',
  money: 'numeric',
  balance: 'balance',
  currency: { column: 'currency' },
  bonus: 'bonus',
  blocked: 'locked',
  entries: 'casino.entries',
  decimals: 4,
  schema: 'rgs_wallet',
});

/** The kit's router over a platform's tables in the same database: amounts in numeric, bonus money, a row for each movement. */
export const routerOwnTables: Contestant = {
  title: 'kit: router, createServer, own tables in PostgreSQL, a row for each movement',
  server: 'postgres',
  prepare: (url, players) =>
    withPool(url, async (pool) => {
      await pool.query(platform);
      await migratePostgres({ url });
      await pool.query(functions);
      await pool.query('INSERT INTO casino.wallets SELECT unnest($1::text[]), $2, $3', [
        players,
        currency,
        startCents / 100,
      ]);
    }),
  balances: (url, players) =>
    withPool(url, async (pool) => {
      const { rows } = await pool.query<{ player_id: string; cents: string }>(
        'SELECT player_id, balance * 100 AS cents FROM casino.wallets',
      );
      const found = new Map(rows.map(({ player_id, cents }) => [player_id, Number(cents)]));
      return players.map((playerId) => found.get(playerId) ?? Number.NaN);
    }),
  async start(url) {
    const store = createOwnTablesStore({ url, poolSize });
    await store.ready();
    return createServer(createApp().use(createOperatorRouter({ store, operators })));
  },
};
