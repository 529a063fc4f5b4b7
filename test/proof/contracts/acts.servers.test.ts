import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { actsContract, type ContractStoreOptions, createMemoryLedger } from '../../../lib/proof';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { serverOfFile } from '../../support/each-test';

const runner = { describe, it, afterAll };
const postgres = serverOfFile(startPostgres);
const redis = serverOfFile(startRedis);

function inRedis(options: ContractStoreOptions, namespace: string, events: readonly string[] = []) {
  const { url } = redis();
  const more = { acceptMixed: true, url, init: true, namespace, events };
  return createRedisStore({ ...options, ...patience, ...more });
}

function inPostgres(options: ContractStoreOptions, events: readonly string[] = []) {
  const { url } = postgres();
  const more = { acceptMixed: true, url, init: true, schema: `acts${events.length}`, events };
  return createPostgresStore({ ...options, ...patience, ...more });
}

describe.each([[[]], [['books']]])('with the consumers %j', (events) => {
  describe('in Redis', () =>
    actsContract({
      runner,
      createStore: (options) => inRedis(options, `own${events.length}`, events),
    }));

  describe('in PostgreSQL', () =>
    actsContract({ runner, createStore: (options) => inPostgres(options, events) }));
});

describe('over a ledger with its journal in Redis', () =>
  actsContract({
    runner,
    createStore: (options) => {
      const ledger = createMemoryLedger();
      const journal = inRedis(options, 'journal');
      return {
        store: createLedgerStore({ ledger, journal, deadlineMs: 60_000 }),
        players: ledger,
      };
    },
  }));
