import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../lib/operator/stores/postgres';
import type { AccountStore } from '../../../lib/operator/wallet';
import {
  balancesContract,
  type ContractStoreOptions,
  createMemoryLedger,
  historyContract,
} from '../../../lib/proof';
import { startPostgres } from '../../servers/postgres/server';
import { patience } from '../../support/patience';
import { serverOfFile } from '../../support/each-test';

const runner = { describe, it, afterAll };
const postgres = serverOfFile(startPostgres);

function inPostgres(
  options: ContractStoreOptions,
  schema: string,
  more: Pick<PostgresStoreOptions, 'events' | 'history'> = {},
): AccountStore {
  const { url } = postgres();
  return createPostgresStore({
    acceptMixed: true,
    ...options,
    ...patience,
    url,
    schema,
    init: true,
    ...more,
  });
}

function keeping(
  options: ContractStoreOptions,
  schema: string,
  events: readonly string[] = [],
): AccountStore {
  return inPostgres(options, schema, { events, history: true });
}

function overLedger(journal: AccountStore) {
  const ledger = createMemoryLedger();
  return { store: createLedgerStore({ ledger, journal, deadlineMs: 60_000 }), players: ledger };
}

describe('in PostgreSQL', () =>
  balancesContract({
    runner,
    createStore: (options) => keeping(options, 'kept'),
    follows: true,
  }));

describe('in PostgreSQL with a consumer of events', () =>
  balancesContract({
    runner,
    createStore: (options) => keeping(options, 'both', ['books']),
    follows: true,
  }));

describe('over a ledger with a journal in PostgreSQL', () =>
  balancesContract({
    runner,
    createStore: (options) => overLedger(keeping(options, 'noted')),
  }));

describe('in PostgreSQL', () =>
  historyContract({ runner, createStore: (options) => inPostgres(options, 'own') }));

describe('in PostgreSQL with a consumer of events', () =>
  historyContract({
    runner,
    createStore: (options) => inPostgres(options, 'told', { events: ['books'] }),
  }));

describe('over a ledger with a journal in PostgreSQL', () =>
  historyContract({
    runner,
    createStore: (options) => overLedger(inPostgres(options, 'journal')),
  }));
