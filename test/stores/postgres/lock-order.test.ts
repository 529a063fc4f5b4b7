import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { type Movement, unseenRound } from '../../../lib/gameround';
import { createPostgresStore } from '../../../lib/stores/postgres';
import { Cleanup } from '../../support/cleanup';
import { type PostgresServer, startPostgres } from '../../support/postgres-server';
import { until } from '../../support/until';

const player = { operatorId: 'op', playerId: 'p' };
const cleanup = new Cleanup();
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres({ settings: { deadlock_timeout: '10ms' } });
});

afterAll(() => server.stop());

afterEach(() => cleanup.run());

test('commits that name the same accounts in different order never deadlock', async () => {
  const url = await server.createDatabase();
  const pool = cleanup.after(new Pool({ connectionString: url }), (made) => made.end());
  const store = cleanup.after(createPostgresStore({ url, migrate: true }), (made) => made.close());
  await store.ready();
  for (const currency of ['EUR', 'USD']) {
    await store.openPlayer({ ...player, currency, balances: { real: '100' } });
  }
  /** Gives a unit in each of these currencies. */
  const give = (gameRound: string, currencies: readonly string[]) =>
    store.commit(
      { ...player, gameRound },
      {
        before: unseenRound,
        after: { ...unseenRound, version: 1, state: 'open' },
        records: [],
        movements: currencies.map((currency): Movement => {
          return { kind: 'give', hash: currency, currency, purse: { real: 1n, bonus: 0n } };
        }),
      },
    );
  const waiting = async (): Promise<number> => {
    const { rows } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return rows.length;
  };
  const others = async (): Promise<number> => {
    const { rows } = await pool.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.length;
  };
  const hold = async (currency: string) => {
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM rgs_wallet.accounts WHERE currency = $1 FOR UPDATE', [
      currency,
    ]);
    return holder;
  };
  const isFree = async (currency: string): Promise<boolean> => {
    const free = 'SELECT FROM rgs_wallet.accounts WHERE currency = $1 FOR UPDATE SKIP LOCKED';
    return (await pool.query(free, [currency])).rows.length === 1;
  };
  const [euro, dollar] = [await hold('EUR'), await hold('USD')];
  const one = give('one', ['EUR', 'USD']);
  await until('one to wait', async () => (await waiting()) === 1);
  const two = give('two', ['USD', 'EUR']);
  await until('both to wait', async () => (await waiting()) === 2);
  await euro.query('ROLLBACK');
  euro.release(true);
  await until('one to go on', async () => !(await isFree('EUR')) && (await waiting()) === 2);
  await dollar.query('ROLLBACK');
  dollar.release(true);
  const results = await Promise.all([one, two]);
  expect(results.map(({ kind }) => kind)).toEqual(['committed', 'committed']);
  // A session tells what it counted when it ends, at the latest.
  await store.close();
  await until('the sessions to end', async () => (await others()) === 0);
  const { rows } = await pool.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: '0' }]);
});
