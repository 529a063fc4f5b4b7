import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore, migratePostgres } from '../../../../lib/operator/stores/postgres';
import { blockOf } from '../../../docs/blocks';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let url: string;
let admin: Pool;
/** How many rounds each statement was to delete. */
let batches: unknown[];

beforeEach(async () => {
  url = await server().createDatabase();
  admin = cleanup.after(new Pool({ connectionString: url }));
  await migratePostgres({ url });
  batches = [];
});

/** A store whose statements that delete are noted. */
async function open(): Promise<void> {
  const pool = cleanup.after(new Pool({ connectionString: url }));
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    const note = (...args: unknown[]): unknown => {
      const { text = '', values } = Object(args[0]) as { text?: string; values?: unknown[] };
      if (text.includes('forget_expired')) batches.push(values?.[0]);
      return send(...args);
    };
    Object.assign(client, { query: note });
  });
  const store = createPostgresStore({ ...patience, pool, retentionMs: 300 });
  await cleanup.after(store).ready();
}

async function expired(count: number): Promise<void> {
  await admin.query(
    `INSERT INTO rgs_wallet.rounds (operator_id, player_id, game_round, number, version, state, resume, changed_at,
       started, credited, ended, unanswered, debits_real, debits_bonus, credits_real, credits_bonus, attention, expires_at)
     SELECT 'op', 'p', 'r' || n, (SELECT coalesce(max(number), 0) FROM rgs_wallet.rounds) + n, 1, 'closed', 'closed', 0, true, 0, 1, 0, 0, 0, 0, 0, false, now() - interval '1 second'
     FROM generate_series(1, $1::int) AS n`,
    [count],
  );
}

async function left(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM rgs_wallet.rounds',
  );
  return rows[0]?.n ?? -1;
}

test('after a full batch a larger one follows, up to a thousand, and then a small one (D10)', async () => {
  await expired(3000);
  await open();
  await until('a batch that is not full', () => batches.length >= 8);
  expect(batches.slice(0, 8)).toEqual([100, 200, 400, 800, 1000, 1000, 100, 100]);
  expect(await left()).toBe(0);
});

test('a batch that is too large for the server is followed by a small one, so that deleting goes on', async () => {
  await admin.query(`
    ALTER FUNCTION rgs_wallet.forget_expired RENAME TO forget_few;
    CREATE FUNCTION rgs_wallet.forget_expired(at_most integer, from_us bigint) RETURNS SETOF text[] LANGUAGE plpgsql AS $$
    BEGIN
      IF at_most > 200 THEN RAISE EXCEPTION 'it takes too long'; END IF;
      RETURN QUERY SELECT * FROM rgs_wallet.forget_few(at_most, from_us);
    END $$`);
  await expired(700);
  await open();
  await until('all to be deleted', async () => (await left()) === 0);
  expect(batches.slice(0, 6)).toEqual([100, 200, 400, 100, 200, 400]);
});

test('the statements of docs/operations/postgres.md show how far deleting lags, and the rows that wait for the vacuum', async () => {
  const { code } = blockOf('docs/operations/postgres.md', 'expired-rounds');
  const look = async () => (await admin.query(code)) as unknown as { rows: object[] }[];
  await admin.query('ALTER TABLE rgs_wallet.rounds SET (autovacuum_enabled = off)');
  expect((await look())[0]?.rows).toEqual([{ lag: null }]);
  await expired(150);
  expect((await look())[0]?.rows).toEqual([
    { lag: expect.objectContaining({ seconds: expect.any(Number) }) },
  ]);
  await admin.query('SELECT rgs_wallet.forget_expired(100, NULL)');
  await until('dead rows to be counted', async () => {
    const rows = (await look())[1]?.rows ?? [];
    return JSON.stringify(rows).includes('{"relname":"rounds","live":"50","dead":"100"');
  });
});
