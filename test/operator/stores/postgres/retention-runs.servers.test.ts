import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createPostgresStore, migratePostgres } from '../../../../lib/operator/stores/postgres';
import { type Clock, systemClock, systemRandom } from '../../../../lib/platform';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(() => startPostgres({ settings: { autovacuum: 'off' } }));
let admin: Pool;
/** The one session of the store. */
let session: Pool;
/** What the cleaner does next, once it has said so. */
let next: (() => void) | null;
/** Its pauses, after a full batch and after a run. */
const pausesMs = [50, 45_000];

const stepping: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs(),
  pause: (ms, signal, kind) => systemClock.pause(ms, signal, kind),
  after(ms, work, kind) {
    if (!pausesMs.includes(ms)) return systemClock.after(ms, work, kind);
    next = work;
    return () => (next = null);
  },
};

beforeEach(async () => {
  next = null;
  const connectionString = await server().createDatabase();
  admin = cleanup.after(new Pool({ connectionString }));
  session = cleanup.after(new Pool({ connectionString, max: 1 }));
  await migratePostgres({ pool: admin });
  const random = { ...systemRandom, next: () => 0.25 };
  const store = createPostgresStore({ ...patience, pool: session, clock: stepping, random });
  await cleanup.after(store).ready();
});

/** One batch of the cleaner. */
async function batch(): Promise<void> {
  const work = next;
  next = null;
  work?.();
  await until('the batch to be over', () => next !== null);
}

/** Rounds that expired at so many seconds before now. */
async function expired(name: string, secondsAgo: string, count: number, to = admin): Promise<void> {
  await to.query(
    `INSERT INTO rgs_wallet.rounds (operator_id, player_id, game_round, number, version, state, resume, changed_at,
       started, credited, ended, unanswered, debits_real, debits_bonus, credits_real, credits_bonus, attention, expires_at)
     SELECT 'op', 'p', $1 || n, (SELECT coalesce(max(number), 0) FROM rgs_wallet.rounds) + n, 1, 'closed', 'closed', 0, true, 0, 1, 0, 0, 0, 0, 0, false,
       now() - (${secondsAgo}) * interval '1 second'
     FROM generate_series(1, $2::int) AS n`,
    [name, count],
  );
}

async function left(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'SELECT game_round AS name FROM rgs_wallet.rounds ORDER BY expires_at, game_round',
  );
  return rows.map(({ name }) => name);
}

/** Entries of the index of expiring rounds that were read so far, of dead rows too. */
async function entriesRead(): Promise<number> {
  await session.query('SELECT pg_stat_force_next_flush()').catch(() => undefined); // from 15 on
  const { rows } = await admin.query<{ n: string }>(
    "SELECT idx_tup_read AS n FROM pg_stat_user_indexes WHERE indexrelname = 'rounds_expiring'",
  );
  return Number(rows[0]?.n);
}

test('while a transaction stays open, a batch does not read again what the batches before it have deleted', async () => {
  await expired('r', '5000 - n', 4000);
  const report = cleanup.after(await admin.connect(), (client) => client.release(true));
  await report.query(
    'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM rgs_wallet.rounds',
  );
  const before = await entriesRead();
  for (let done = 0; done < 7; done += 1) await batch();
  expect(await left()).toEqual([]);
  expect((await entriesRead()) - before).toBeLessThan(4000 + 100);
});

test('rounds that expired at the same moment are all deleted in one run', async () => {
  await expired('r', '5', 3000);
  for (let done = 0; done < 7; done += 1) await batch();
  expect(await left()).toEqual([]);
});

test('a round that is committed behind what a run has deleted is deleted by the next run', async () => {
  await expired('r', '5000 - n', 150);
  const late = cleanup.after(await admin.connect(), (client) => client.release(true));
  await late.query('BEGIN');
  await expired('late', '9000', 1, late as unknown as Pool);
  await expired('same', '5000 - n', 1, late as unknown as Pool);
  await batch();
  await late.query('COMMIT');
  expect(await left()).toHaveLength(52);
  await batch();
  expect(await left()).toEqual(['late1', 'same1']);
  await batch();
  expect(await left()).toEqual([]);
});

test('where dead rows at the start take longer than a statement may, the next run begins behind what was deleted last', async () => {
  await admin.query(`
    ALTER FUNCTION rgs_wallet.forget_expired RENAME TO forget_some;
    CREATE TABLE rgs_wallet.slow AS SELECT false AS is_slow;
    CREATE FUNCTION rgs_wallet.forget_expired(at_most integer, from_us bigint) RETURNS SETOF text[] LANGUAGE plpgsql AS $$
    BEGIN
      IF from_us IS NULL AND (SELECT is_slow FROM rgs_wallet.slow) THEN RAISE EXCEPTION 'it takes too long'; END IF;
      RETURN QUERY SELECT * FROM rgs_wallet.forget_some(at_most, from_us);
    END $$`);
  await expired('old', '5000 - n', 50);
  await batch();
  await admin.query('UPDATE rgs_wallet.slow SET is_slow = true');
  await expired('late', '9000', 1);
  await expired('new', '50', 10);
  await batch();
  expect(await left()).toHaveLength(11);
  await batch();
  expect(await left()).toEqual(['late1']);
  await batch(); // from the start again, though it fails
  await expired('newer', '40', 10);
  await batch();
  expect(await left()).toEqual(['late1']);
  await admin.query('UPDATE rgs_wallet.slow SET is_slow = false');
  await batch();
  expect(await left()).toEqual([]);
});
