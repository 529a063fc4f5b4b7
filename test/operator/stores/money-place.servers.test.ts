import { describe, expect, test } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import {
  type AccountStore,
  StoreUnsafeError,
  type WalletStore,
} from '../../../lib/operator/wallet';
import { createMemoryLedger } from '../../../lib/proof';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

const ann = { operatorId: 'op', playerId: 'ann', currency: 'EUR', balances: { real: '10' } };
const cleanup = cleanupAfterEach();
const postgres = serverOfFile(startPostgres);
const redis = serverOfFile(startRedis);
let namespaces = 0;

function closed<T extends { close(): Promise<void> }>(store: T): T {
  return cleanup.after(store);
}

/** Opens a store over the same data, as often as it is called. */
const places: Readonly<Record<string, () => Promise<() => AccountStore>>> = {
  PostgreSQL: async () => {
    const url = await postgres().createDatabase();
    return () => closed(createPostgresStore({ ...patience, url, init: true }));
  },
  Redis: async () => {
    const namespace = `place-${++namespaces}`;
    const { url } = redis();
    return () => closed(createRedisStore({ ...patience, url, namespace, init: true }));
  },
};

function overLedger(journal: AccountStore): WalletStore {
  return createLedgerStore({ ledger: createMemoryLedger(), journal });
}

async function refusalOf(store: WalletStore): Promise<string> {
  const refused = await store.ready().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnsafeError);
  return String(refused);
}

// The third kind of money is in tables of the platform's own: own-tables.servers.test.ts.
describe.each(Object.entries(places))('in %s', (_, openPlace) => {
  test('the journal of a ledger refuses data in which a store kept accounts', async () => {
    const open = await openPlace();
    const store = open();
    await store.ready();
    expect(await store.players.openPlayer(ann)).toMatchObject({ kind: 'opened' });
    const refusal = await refusalOf(overLedger(open()));
    expect(refusal).toMatch(
      /has the money in its own accounts\. Use another (?:schema|namespace) /,
    );
    await open().ready();
  });

  test('a store refuses the journal of a ledger, with the first process or a later one', async () => {
    const open = await openPlace();
    const journal = open();
    await overLedger(journal).ready();
    expect(await refusalOf(open())).toContain('has rounds alone, for a ledger (createLedgerStore)');
    await overLedger(open()).ready();
  });

  test('data without accounts and rounds may become either, also where a store has looked before', async () => {
    const open = await openPlace();
    await open().ready();
    await overLedger(open()).ready();
  });
});

test('a store in memory cannot keep accounts and the rounds of a ledger', async () => {
  const store = createMemoryStore();
  const over = overLedger(store);
  await over.ready();
  await store.players.openPlayer(ann);
  expect(await refusalOf(over)).toContain('Use another memory store for this store');
  expect(await refusalOf(store)).toContain('would pay nobody');
});
