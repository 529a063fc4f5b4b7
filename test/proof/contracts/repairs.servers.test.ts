import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../lib/operator/wallet';
import { type ContractStoreOptions, createMemoryLedger, repairContract } from '../../../lib/proof';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { serverOfFile } from '../../support/each-test';

const runner = { describe, it, afterAll };
/** A slow disk is no fault of the store: its limits are for what hangs. */
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
const postgres = serverOfFile(startPostgres);
const redis = serverOfFile(startRedis);

function inRedis(
  options: ContractStoreOptions & { readonly history?: boolean },
  namespace: string,
  events: readonly string[] = [],
): AccountStore {
  const { url } = redis();
  return createRedisStore({
    acceptMixed: true,
    ...options,
    ...patience,
    url,
    init: true,
    namespace,
    events,
  });
}

function inPostgres(
  options: ContractStoreOptions,
  schema: string,
  events: readonly string[] = [],
): AccountStore {
  const { url } = postgres();
  return createPostgresStore({
    acceptMixed: true,
    ...options,
    ...patience,
    url,
    schema,
    init: true,
    events,
  });
}

function overLedger(journal: AccountStore) {
  const ledger = createMemoryLedger();
  return { store: createLedgerStore({ ledger, journal, deadlineMs: 60_000 }), players: ledger };
}

describe('in Redis', () =>
  repairContract({
    runner,
    createStore: (options) => inRedis(options, 'own'),
    listsOpenRounds: false,
  }));

describe('in Redis with a consumer of events', () =>
  repairContract({
    runner,
    createStore: (options) => inRedis(options, 'told', ['books']),
    listsOpenRounds: false,
  }));

describe.each([[[]], [['books']]])('in Redis with a history and the consumers %j', (events) =>
  repairContract({
    runner,
    createStore: (options) =>
      inRedis({ ...options, history: true }, `history${events.length}`, events),
  }),
);

describe('in PostgreSQL with a consumer of events', () =>
  repairContract({ runner, createStore: (options) => inPostgres(options, 'told', ['books']) }));

describe('in PostgreSQL', () =>
  repairContract({ runner, createStore: (options) => inPostgres(options, 'own') }));

describe('over a ledger with its journal in Redis', () =>
  repairContract({
    runner,
    createStore: (options) => overLedger(inRedis(options, 'journal')),
    listsOpenRounds: false,
  }));

describe('over a ledger with its journal in Redis with a history', () =>
  repairContract({
    runner,
    createStore: (options) => overLedger(inRedis({ ...options, history: true }, 'kept')),
  }));

describe('over a ledger with its journal in PostgreSQL', () =>
  repairContract({
    runner,
    createStore: (options) => overLedger(inPostgres(options, 'journal')),
  }));
