import { afterAll, beforeAll, describe, it } from '@jest/globals';

import {
  actsContract,
  type ContractStoreOptions,
  eventsContract,
  historyContract,
  repairContract,
} from '../../../lib/proof';
import { type PlainPlatform, startPlainPlatform } from '../../servers/postgres/plain-table';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { patience } from '../../support/patience';

let server: PostgresServer;
let platform: PlainPlatform;
let url: string;

beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  platform = await startPlainPlatform(url);
});

afterAll(async () => {
  await platform.end();
  await server.stop();
});

const runner = { describe, it, afterAll };
const wallet = (options: ContractStoreOptions & { readonly events?: readonly string[] }) =>
  platform.wallet({ ...options, ...patience, url });

describe("over a platform's own tables", () => {
  eventsContract({ runner, createStore: wallet, follows: true });
  historyContract({ runner, createStore: wallet });
  repairContract({ runner, createStore: wallet });
  actsContract({ runner, createStore: wallet });
});

describe("over a platform's own tables with a consumer of events", () =>
  repairContract({
    runner,
    createStore: (options) => wallet({ ...options, events: ['books'] }),
  }));
