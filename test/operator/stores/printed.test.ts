import { format, inspect } from 'node:util';

import { describe, expect, test } from '@jest/globals';
import Redis from 'ioredis';
import { Pool } from 'pg';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createOwnTablesStore, createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { createMemoryLedger } from '../../../lib/proof/contracts/ledger/in-memory';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const password = 'a-password-0123456789';
const redisUrl = `redis://wallet:${password}@127.0.0.1:1`;
const postgresUrl = `postgres://wallet:${password}@127.0.0.1:1/wallet`;

const opened: Readonly<Record<string, () => { close(): Promise<void> }>> = {
  'Redis by url': () => createRedisStore({ url: redisUrl }),
  'Redis by client': () => {
    const client = new Redis(redisUrl, { lazyConnect: true });
    cleanup.after(client, (made) => made.disconnect());
    return createRedisStore({ client });
  },
  'a cluster of Redis by url': () =>
    createRedisStore({ url: redisUrl.replace('redis:', 'redis+cluster:') }),
  'PostgreSQL by url': () => createPostgresStore({ url: postgresUrl }),
  'PostgreSQL by pool': () => {
    const pool = new Pool({ connectionString: postgresUrl });
    cleanup.after(pool);
    return createPostgresStore({ pool });
  },
  "the platform's own tables by url": () => createOwnTablesStore({ url: postgresUrl }),
  'a ledger over PostgreSQL by url': () =>
    createLedgerStore({
      ledger: createMemoryLedger(),
      journal: createPostgresStore({ url: postgresUrl }),
    }),
};

describe('no way of printing a store shows its password', () => {
  test.each(Object.entries(opened))('%s', (_, open) => {
    const store = open();
    cleanup.after(store);
    const parts = { settings: { stores: [store] } };
    const printed = [
      inspect(store, { depth: Number.POSITIVE_INFINITY, showHidden: true, showProxy: true }),
      inspect(parts, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
      format('%o %O %j %s', store, store, store, store),
      JSON.stringify(parts),
    ];
    for (const text of printed) expect(text).not.toContain(password);
  });
});
