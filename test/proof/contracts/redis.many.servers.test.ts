import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';

import { createRedisStore, type RedisStoreOptions } from '../../../lib/operator/stores/redis';
import {
  accountBooksContract,
  accountStoreContract,
  type ContractStoreOptions,
  walletStoreContract,
} from '../../../lib/proof';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { places } from '../../support/runs';

let server: RedisServer;
const clients: { disconnect(): void }[] = [];

beforeAll(async () => {
  server = await startRedis();
});

afterAll(async () => {
  for (const client of clients) client.disconnect();
  await server.stop();
});

/** Remembers a client of the user's own, so that it is closed in the end. */
function kept<T extends { disconnect(): void }>(client: T): T {
  clients.push(client);
  return client;
}

const variants: Readonly<Record<string, () => Omit<RedisStoreOptions, 'namespace'>>> = {
  'a client of its own': () => ({ url: server.url }),
  'an ioredis 5 client with defaults': () => ({ client: kept(new Redis5(server.url)) }),
  'an ioredis client that pipelines by itself': () => ({
    client: kept(new Redis(server.url, { enableAutoPipelining: true })),
  }),
  'an ioredis client with defaults': () => ({ client: kept(new Redis(server.url)) }),
  'another database': () => ({ url: `${server.url}/3` }),
};

/** What a wallet does is proven with these; what a store does is with the first two, and in the soak tier with all. */
const proven = new Map(places(variants));

describe.each(places(variants, 2))('in Redis with %s', (name, connection) => {
  const prefix = `Contract-1.${Object.keys(variants).indexOf(name)}_`;
  const runner = { describe, it, afterAll };
  const createStore = (options: ContractStoreOptions) => {
    const namespace = `${prefix}${options.decimals}`; // data keep the decimals they began with
    return createRedisStore({
      acceptMixed: true,
      init: true,
      commandTimeoutMs: 60_000,
      ...options,
      ...connection(),
      namespace,
    });
  };
  accountStoreContract({ runner, createStore });
  if (proven.has(name)) {
    walletStoreContract({ runner, createStore, follows: true });
    accountBooksContract({ runner, createStore });
  }
});
