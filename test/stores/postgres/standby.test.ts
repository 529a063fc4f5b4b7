import { afterEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { StoreUnavailableError } from '../../../lib/errors';
import { createPostgresStore } from '../../../lib/stores/postgres';
import type { AccountStore } from '../../../lib/wallet';
import { Cleanup } from '../../support/cleanup';
import { startPostgres } from '../../support/postgres-server';
import { until } from '../../support/until';

const ann = { operatorId: 'op', playerId: 'ann', currency: 'EUR' };
const cleanup = new Cleanup();

afterEach(() => cleanup.run());

function open(url: string, migrate = false): AccountStore {
  const store = createPostgresStore({ url, migrate, connectTimeoutMs: 500, commandTimeoutMs: 500 });
  return cleanup.after(store, (opened) => opened.close());
}

test('a standby is not taken for the server that keeps the money, until it is promoted', async () => {
  const primary = cleanup.after(await startPostgres(), (server) => server.stop());
  const standby = cleanup.after(await startPostgres({ standbyOf: primary }), (server) =>
    server.stop(),
  );
  const writing = open(primary.url, true);
  await writing.ready();
  await writing.openPlayer({ ...ann, balances: { real: '12' } });
  const admin = cleanup.after(new Pool({ connectionString: standby.url }), (pool) => pool.end());
  await until('the player to arrive', async () => {
    const { rowCount } = await admin.query('SELECT FROM rgs_wallet.accounts');
    return rowCount === 1;
  });

  const store = open(standby.url);
  const refused = await store.ready().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreUnavailableError);
  expect(String(refused)).toContain('the server is a standby');
  // Also what only reads is not asked of it: it may be behind.
  expect(await store.accounts(ann)).toMatchObject({ kind: 'unknown' });
  expect(await store.load({ ...ann, gameRound: 'r' }, [])).toMatchObject({ kind: 'unknown' });

  await primary.stop();
  await admin.query('SELECT pg_promote()');
  await store.ready();
  expect(await store.accounts(ann)).toMatchObject({ accounts: [{ real: 120_000n }] });
  const deposit = { ...ann, amount: '1', reference: 'after' };
  expect(await store.deposit(deposit)).toMatchObject({ kind: 'done', replay: false });
});
