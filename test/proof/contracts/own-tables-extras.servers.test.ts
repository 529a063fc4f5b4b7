import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Pool } from 'pg';

import {
  type ContractStoreOptions,
  eventsContract,
  historyContract,
  repairContract,
} from '../../../lib/proof';
import { plainTableWallet, preparePlainTable } from '../../servers/postgres/plain-table';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { patience } from '../../support/patience';

let server: PostgresServer;
let pool: Pool;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  pool = new Pool({ connectionString: url, max: 10 });
  await preparePlainTable(pool);
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

const runner = { describe, it, afterAll };
const wallet = (options: ContractStoreOptions & { readonly events?: readonly string[] }) =>
  plainTableWallet({ ...options, ...patience, url }, pool);

describe("over a platform's own tables", () => {
  eventsContract({ runner, createStore: wallet, follows: true });
  historyContract({ runner, createStore: wallet });
  repairContract({ runner, createStore: wallet });
});

describe("over a platform's own tables with a consumer of events", () =>
  repairContract({
    runner,
    createStore: (options) => wallet({ ...options, events: ['books'] }),
  }));
