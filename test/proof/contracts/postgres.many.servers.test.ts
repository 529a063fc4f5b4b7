import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';

import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../lib/operator/stores/postgres';
import {
  accountBooksContract,
  accountStoreContract,
  type ContractStoreOptions,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';
import { type Pgbouncer, startPgbouncer } from '../../servers/postgres/pgbouncer';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { places, runs } from '../../support/runs';
import { testSeed } from '../../support/seed';

let server: PostgresServer;
let bouncer: Pgbouncer;
const pools: Pool[] = [];

beforeAll(async () => {
  server = await startPostgres();
  bouncer = await startPgbouncer(server);
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
  await bouncer.stop();
  await server.stop();
});

/** A pool of the user's own, closed in the end. */
function ownPool(): Pool {
  const pool = new Pool({ connectionString: server.url, max: 5 });
  pools.push(pool);
  return pool;
}

const variants: Readonly<Record<string, () => Omit<PostgresStoreOptions, 'schema'>>> = {
  'a pool of its own': () => ({ url: server.url }),
  'a pool of pg with defaults': () => ({ pool: ownPool() }),
  'pgbouncer in transaction mode between': () => ({ url: bouncer.url, sessionTimeouts: false }),
};
const runner = { describe, it, afterAll };
/** A slow disk is no fault of the store: its limits are for what hangs. */
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

/** What a wallet does is proven with these; what a store does is with all. */
const proven = new Map(places(variants));

describe.each(Object.entries(variants))('in PostgreSQL with %s', (name, connection) => {
  const prefix = `contract_${Object.keys(variants).indexOf(name)}`;
  const createStore = (options: ContractStoreOptions) =>
    createPostgresStore({
      acceptMixed: true,
      ...options,
      ...connection(),
      ...patience,
      schema: `${prefix}_${options.decimals}`, // data keep the decimals they began with
      init: true,
    });

  accountStoreContract({ runner, createStore });
  if (proven.has(name)) {
    walletStoreContract({ runner, createStore, follows: true });
    accountBooksContract({ runner, createStore });
  }
  walletStoreHistories({
    seed: testSeed,
    runner,
    createStore,
    histories: runs(100, proven.has(name) ? 20 : 5),
  });
});
