import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import {
  type ContractLedger,
  type ContractStoreOptions,
  createMemoryLedger,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';
import type { RoundJournal } from '../../../lib/operator/wallet';
import { startHttpLedger } from '../../network/http-ledger';
import { openPostgresLedger } from '../../servers/postgres/ledger';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { places, runs } from '../../support/runs';
import { testSeed } from '../../support/seed';

const runner = { describe, it, afterAll };
let server: PostgresServer;
let redis: RedisServer;

beforeAll(async () => {
  [server, redis] = await Promise.all([startPostgres(), startRedis()]);
});

afterAll(() => Promise.all([server.stop(), redis.stop()]));

interface Pairing {
  readonly openLedger: () => Promise<ContractLedger>;
  readonly openJournal: (options: ContractStoreOptions) => RoundJournal;
}

let schemas = 0;
const postgresJournal = (options: ContractStoreOptions): RoundJournal => {
  schemas += 1;
  return createPostgresStore({
    acceptMixed: true,
    ...patience,
    ...options,
    url: server.url,
    schema: `journal_${schemas}`,
    init: true,
  });
};

const pairings: Readonly<Record<string, Pairing>> = {
  'a ledger in memory, the journal in Redis': {
    openLedger: async () => {
      const ledger = createMemoryLedger();
      return { ledger, players: ledger };
    },
    openJournal: (options) =>
      createRedisStore({
        acceptMixed: true,
        ...patience,
        init: true,
        ...options,
        url: redis.url,
        namespace: `journal_${options.decimals}`,
      }),
  },
  'a table of accounts in PostgreSQL, the journal in PostgreSQL': {
    openLedger: () => openPostgresLedger(server),
    openJournal: postgresJournal,
  },
  'a service over HTTP, the journal in PostgreSQL': {
    openLedger: startHttpLedger,
    openJournal: postgresJournal,
  },
};

/** Each case is proven over these; random histories are played over all, fewer over the others. */
const proven = new Map(places(pairings));

describe.each(Object.entries(pairings))('over %s', (name, { openLedger, openJournal }) => {
  let opened: Promise<ContractLedger> | undefined;
  const createStore = async (options: ContractStoreOptions) => {
    opened ??= openLedger();
    const { ledger, players } = await opened;
    return { store: createLedgerStore({ ledger, journal: openJournal(options) }), players };
  };

  if (proven.has(name)) walletStoreContract({ runner, createStore });
  walletStoreHistories({
    seed: testSeed,
    runner,
    createStore,
    histories: runs(100, proven.has(name) ? 20 : 5),
  });

  afterAll(async () => (await opened)?.close?.());
});
