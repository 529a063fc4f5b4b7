import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createPostgresLedger } from '../../examples/ledger-postgres/ledger';
import { createServer } from '../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../lib/operator/express/router';
import { createLedgerStore, startSweeper } from '../../lib/operator/ledger';
import {
  createPostgresStore,
  migratePostgres,
  type PostgresStoreOptions,
} from '../../lib/operator/stores/postgres';
import { startTotals } from '../../lib/operator/reconciliation/totals';
import { totalsConsumer, type WalletStore } from '../../lib/operator/wallet';
import { currency, operatorId, patience, poolSize, startCents } from '../terms';
import type { Contestant } from './contestant';
import { createApp } from './express-app';
import { withPool } from './express-postgres';
import {
  balancesInStore,
  limitInStore,
  openInStore,
  operators,
  withoutFollowUps,
} from './kit-accounts';

const ledgerSchema = readFileSync(
  join(__dirname, '../../examples/ledger-postgres/schema.sql'),
  'utf8',
);

/** Units of the kit in a cent. */
const unitsPerCent = 100;

const inPostgres = {
  server: 'postgres',
  prepare: (url, players) =>
    openInStore(createPostgresStore({ url, init: true, ...patience }), players),
  balances: (url, players) =>
    balancesInStore(createPostgresStore({ url, serves: false, ...patience }), players),
} satisfies Partial<Contestant>;

/** The kit's router in an Express 5 app, on the kit's server, over its PostgreSQL store. */
export const routerPostgres: Contestant = {
  ...inPostgres,
  title: 'kit: router in Express 5, createServer, PostgreSQL',
  start: (url) => startRouter(url),
};

/** The same, for players with three limits. */
export const limitedPostgres: Contestant = {
  ...routerPostgres,
  title: 'kit: router, createServer, PostgreSQL, players with three limits',
  prepare: async (url, players) => {
    await inPostgres.prepare(url, players);
    await limitInStore(createPostgresStore({ url, ...patience }), players);
  },
};

/** The same without limits, with a consumer of events: each commit writes one. */
export const tellingPostgres: Contestant = {
  ...inPostgres,
  title: 'kit: router, createServer, PostgreSQL, one consumer of events',
  start: (url) => startRouter(url, { events: ['bench'] }),
};

/** The same with the totals as the one consumer, which this process counts meanwhile. */
export const totallingPostgres: Contestant = {
  ...inPostgres,
  title: 'kit: router, createServer, PostgreSQL, totals',
  start: async (url) => {
    const store = await readyStore(url, { events: [totalsConsumer] });
    startTotals({ store, operatorIds: [operatorId] });
    return serve(store);
  },
};

/** The same without a consumer, and with the balances after each commit of a round. */
export const listingPostgres: Contestant = {
  ...inPostgres,
  title: 'kit: router, createServer, PostgreSQL, history',
  start: (url) => startRouter(url, { history: true }),
};

/** The same, where a call that goes on with a round loads it first. */
export const loadingPostgres: Contestant = {
  ...inPostgres,
  title: 'kit: router, createServer, PostgreSQL, without follow-ups',
  start: async (url) => serve(withoutFollowUps(await readyStore(url))),
};

type Extras = Pick<PostgresStoreOptions, 'events' | 'history'>;

async function startRouter(url: string, extras: Extras = {}) {
  return serve(await readyStore(url, extras));
}

async function readyStore(url: string, extras: Extras = {}) {
  const store = createPostgresStore({ url, poolSize, ...extras });
  await store.ready();
  return store;
}

function serve(store: WalletStore) {
  return createServer(createApp().use(createOperatorRouter({ store, operators })));
}

/** The kit's router over a ledger of one's own: the example's tables, and the journal in the same database. */
export const routerLedger: Contestant = {
  title: 'kit: router, createServer, ledger in PostgreSQL',
  server: 'postgres',
  prepare: (url, players) =>
    withPool(url, async (pool) => {
      await migratePostgres({ url });
      await pool.query(ledgerSchema);
      await pool.query(
        `INSERT INTO accounts (operator_id, player_id, currency, balance)
         SELECT $1, unnest($2::text[]), $3, $4`,
        [operatorId, players, currency, startCents * unitsPerCent],
      );
    }),
  balances: (url, players) =>
    withPool(url, async (pool) => {
      const { rows } = await pool.query<{ player_id: string; balance: string }>(
        'SELECT player_id, balance FROM accounts',
      );
      const found = new Map(rows.map(({ player_id, balance }) => [player_id, Number(balance)]));
      return players.map((playerId) => (found.get(playerId) ?? Number.NaN) / unitsPerCent);
    }),
  async start(url) {
    const limits = { connectionTimeoutMillis: 1000, statement_timeout: 1500, lock_timeout: 1000 };
    const pool = new Pool({ connectionString: url, max: poolSize, ...limits });
    pool.on('error', () => {}); // of an idle connection; the next query opens another
    const journal = createPostgresStore({ url, poolSize });
    const store = createLedgerStore({ ledger: createPostgresLedger(pool), journal });
    await store.ready();
    startSweeper({ store, operatorIds: [operatorId] });
    return createServer(createApp().use(createOperatorRouter({ store, operators })));
  },
};
