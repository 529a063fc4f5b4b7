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
  for (let times = 1; times <= 3; times += 1) {
    const holder = await pool.connect();
    await holder.query('BEGIN; SELECT FROM rgs_wallet.accounts FOR UPDATE');
    const commits = [give(`one ${times}`, ['EUR', 'USD']), give(`two ${times}`, ['USD', 'EUR'])];
    await until('both to wait', async () => (await waiting()) === 2);
    await holder.query('ROLLBACK');
    holder.release();
    const results = await Promise.all(commits);
    expect(results.map(({ kind }) => kind)).toEqual(['committed', 'committed']);
  }
  await pool.query('SELECT pg_stat_force_next_flush()').catch(() => undefined); // from 15 on
  const { rows } = await pool.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: '0' }]);
});
