import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';

import { createOwnTablesStore } from '../../../lib/operator/stores/postgres';
import {
  type ContractStoreOptions,
  ownTablesContract,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';
import { preparePlatform, platformWallet } from '../../servers/postgres/own-tables';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { patience } from '../../support/patience';
import { runs } from '../../support/runs';

let server: PostgresServer;
let pool: Pool;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  pool = new Pool({ connectionString: url, max: 10 });
  await preparePlatform(pool);
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

const runner = { describe, it, afterAll };

const createStore = (options: ContractStoreOptions) =>
  platformWallet(createOwnTablesStore({ acceptMixed: true, ...options, ...patience, url }), pool);

describe("over the platform's own tables in PostgreSQL", () => {
  walletStoreContract({ runner, createStore, follows: true });
  ownTablesContract({ runner, createStore });
  walletStoreHistories({ runner, createStore, histories: runs(100, 20) });
});
