import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore, type PostgresStoreOptions } from '../../lib/stores/postgres';
import { walletStoreContract, walletStoreHistories } from '../../lib/testing';
import { type PostgresServer, startPostgres } from '../support/postgres-server';

let server: PostgresServer;
const pools: Pool[] = [];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
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
};
const runner = { describe, it, afterAll };

describe.each(Object.entries(variants))('in PostgreSQL with %s', (name, connection) => {
  const prefix = `contract_${Object.keys(variants).indexOf(name)}`;
  const createStore = (options: { readonly decimals: number }) =>
    createPostgresStore({
      ...options,
      ...connection(),
      schema: `${prefix}_${options.decimals}`, // data keep the decimals they began with
      migrate: true,
    });

  walletStoreContract({ runner, createStore });
  walletStoreHistories({ runner, createStore });
});
