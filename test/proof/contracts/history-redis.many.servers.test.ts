import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createRedisStore, type RedisStoreOptions } from '../../../lib/operator/stores/redis';
import {
  balancesContract,
  type ContractStoreOptions,
  createMemoryLedger,
  historyContract,
} from '../../../lib/proof';
import { Cleanup } from '../../servers/cleanup';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { places } from '../../support/runs';

const runner = { describe, it, afterAll };
const clients = new Cleanup();
let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(async () => {
  await clients.run();
  await server.stop();
});

/** Remembers a client of the user's own, so that it is closed in the end. */
function kept<T extends { disconnect(): void }>(client: T): T {
  return clients.after(client, (one) => one.disconnect());
}

function inRedis(options: ContractStoreOptions, more: RedisStoreOptions) {
  const namespace = `${more.namespace}_${options.decimals}`; // data keep the decimals they began with
  return createRedisStore({
    acceptMixed: true,
    ...options,
    init: true,
    history: true,
    ...patience,
    ...more,
    namespace,
  });
}

const variants: Readonly<Record<string, () => RedisStoreOptions>> = {
  'a client of its own': () => ({ url: server.url, namespace: 'own' }),
  'a consumer of events': () => ({ url: server.url, namespace: 'told', events: ['books'] }),
  'an ioredis 5 client with defaults': () => ({
    client: kept(new Redis5(server.url)),
    namespace: 'five',
  }),
  'an ioredis client that pipelines by itself': () => ({
    client: kept(new Redis(server.url, { enableAutoPipelining: true })),
    namespace: 'pipes',
  }),
  'an ioredis client with defaults': () => ({
    client: kept(new Redis(server.url)),
    namespace: 'plain',
  }),
};

describe.each(places(variants, 2))('in Redis with %s', (_, connection) => {
  historyContract({ runner, createStore: (options) => inRedis(options, connection()) });
  balancesContract({
    runner,
    createStore: (options) => inRedis(options, connection()),
    follows: true,
  });
});

function overLedger(options: ContractStoreOptions) {
  const ledger = createMemoryLedger();
  const journal = inRedis(options, { url: server.url, namespace: 'journal' });
  return { store: createLedgerStore({ ledger, journal, deadlineMs: 60_000 }), players: ledger };
}

describe('over a ledger with a journal in Redis', () => {
  historyContract({ runner, createStore: overLedger });
  balancesContract({ runner, createStore: overLedger });
});
