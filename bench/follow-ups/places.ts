import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import {
  createOwnTablesStore,
  createPostgresStore,
  migratePostgres,
} from '../../lib/operator/stores/postgres';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { WalletStore } from '../../lib/operator/wallet';
import { startPostgres } from '../../test/servers/postgres/server';
import { startRedis } from '../../test/servers/redis/server';
import { openInStore } from '../contestants/kit-accounts';
import { currency, poolSize } from '../terms';

/** A store with its server, where rounds are played. */
export interface Place {
  readonly name: string;
  readonly store: WalletStore;
  /** Of the server, whose children count too. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** Opens a place and the players in it; their ids are UUIDs. */
export type OpenPlace = (players: readonly string[]) => Promise<Place>;

export const openRedis: OpenPlace = async (players) => {
  const server = await startRedis();
  await openInStore(createRedisStore({ url: server.url, init: true }), players);
  const store = createRedisStore({ url: server.url });
  return placeOf('Redis', store, server);
};

export const openPostgres: OpenPlace = async (players) => {
  const server = await startPostgres();
  await openInStore(createPostgresStore({ url: server.url, init: true }), players);
  return placeOf('PostgreSQL', createPostgresStore({ url: server.url, poolSize }), server);
};

/** The tables and functions of the example. */
export const openOwnTables: OpenPlace = async (players) => {
  const server = await startPostgres();
  const { url } = server;
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(sql('platform'));
  await migratePostgres({ url });
  await pool.query(sql('functions'));
  await pool.query('INSERT INTO casino.wallets SELECT unnest($1::uuid[]), $2, 10000000', [
    players,
    currency,
  ]);
  await pool.end();
  return placeOf('tables of your own', createOwnTablesStore({ url, poolSize }), server);
};

async function placeOf(
  name: string,
  store: WalletStore,
  server: { readonly pid: number; stop(): Promise<void> },
): Promise<Place> {
  await store.ready();
  return {
    name,
    store,
    pid: server.pid,
    async stop() {
      await store.close();
      await server.stop();
    },
  };
}

function sql(name: string): string {
  return readFileSync(join(__dirname, `../../examples/own-tables/${name}.sql`), 'utf8');
}
