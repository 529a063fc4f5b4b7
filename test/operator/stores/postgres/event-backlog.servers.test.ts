import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';

import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { end, openingOf } from '../../../../lib/proof/contracts/changes';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const operatorId = 'op';
const rows = 5_000;
const cleanup = cleanupAfterEach();
let server: PostgresServer;
let pool: Pool;
let store: ReturnType<typeof createPostgresStore>;

beforeAll(async () => {
  server = await startPostgres();
  const url = await server.createDatabase();
  pool = new Pool({ connectionString: url });
  // The other one acknowledges nothing, so that all events stay.
  store = createPostgresStore({ ...patience, url, init: true, events: ['a', 'b'] });
  await store.ready();
});

afterAll(async () => {
  await store.close();
  await pool.end();
  await server.stop();
});

/** Events, many at once. */
async function fill(): Promise<void> {
  await pool.query(
    `INSERT INTO rgs_wallet.events (operator_id, player_id, number, game_round, version, event)
     SELECT $1, 'p' || n % 100, n, 'r' || n, 1, 'o' FROM generate_series(1, $2::int) n`,
    [operatorId, rows],
  );
}

interface Page {
  readonly rounds: readonly string[];
  /** Rows of events that reading it, and acknowledging it, looked up. */
  readonly read: number;
  readonly done: number;
}

/** The next page of a consumer, acknowledged. */
async function page(atMost: number): Promise<Page> {
  const client = cleanup.after(await pool.connect(), (one) => one.release());
  await client.query('BEGIN');
  const lines = await linesOf(client, `read_events(60000, '${operatorId}', 'a', ${atMost})`);
  const read = await lookedUp(client);
  const [first, ...events] = lines;
  const place = events.at(-1)?.[1] ?? '';
  const acknowledged = `${first?.[1]}, '${place}', ${events.length < atMost}`;
  const advance = `advance_events(true, 60000, '${operatorId}', 'a', ${acknowledged})`;
  expect(await linesOf(client, advance)).toEqual([['done']]);
  const done = (await lookedUp(client)) - read;
  await client.query('COMMIT');
  return { rounds: events.map((line) => line[3] ?? ''), read, done };
}

async function linesOf(client: PoolClient, call: string): Promise<string[][]> {
  const { rows: found } = await client.query<{ line: string[] }>(
    `SELECT line FROM rgs_wallet.${call} AS line`,
  );
  return found.map(({ line }) => line);
}

/** Of this transaction so far. */
async function lookedUp(client: PoolClient): Promise<number> {
  const { rows: found } = await client.query<{ count: string }>(
    `SELECT idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = 'events'`,
  );
  return Number(found[0]?.count);
}

async function commit(gameRound: string): Promise<void> {
  const round = { operatorId, playerId: 'p', gameRound };
  const result = await store.rounds.commit(round, openingOf([end(gameRound)]));
  expect(result.kind).toBe('committed');
}

test('a page looks up the events that it delivers, whatever waits, was read, or is kept for another consumer', async () => {
  await fill();
  const first = await page(10);
  expect([first.rounds.length, first.read < 30, first.done < 30]).toEqual([10, true, true]);
  expect((await page(rows)).rounds).toHaveLength(rows - 10);

  const writer = cleanup.after(await pool.connect(), (one) => one.release());
  await writer.query('BEGIN');
  await writer.query(
    `INSERT INTO rgs_wallet.events (operator_id, player_id, game_round, version, event)
     VALUES ($1, 'slow', 'slow', 1, 'o')`,
    [operatorId],
  );
  await fill();
  expect((await page(rows + 1)).rounds).toHaveLength(rows);
  for (const round of ['while it is open', 'again']) {
    await commit(round);
    const { rounds, read, done } = await page(10);
    expect([rounds, read < 30, done < 30]).toEqual([[round], true, true]);
  }
  await writer.query('COMMIT');
  await commit('later');
  const last = await page(10);
  expect([last.rounds, last.read < 30, last.done < 30]).toEqual([['slow', 'later'], true, true]);
  expect(await store.events.lag(operatorId)).toMatchObject([
    { consumer: 'a', waiting: 0 },
    { consumer: 'b', waiting: 2 * rows + 4 },
  ]);
});

test('what was in progress when the pages before ended is deleted with the page that has it', async () => {
  await store.events.forgetConsumer('b', [operatorId]);
  const left = async () => (await pool.query('SELECT FROM rgs_wallet.events')).rowCount;
  expect(await left()).toBe(0);
  const writer = cleanup.after(await pool.connect(), (one) => one.release());
  await writer.query('BEGIN');
  const insert = `INSERT INTO rgs_wallet.events (operator_id, player_id, number, game_round, version, event)
    SELECT $1, 'slow', n, 'slow' || n, 1, 'o' FROM generate_series(1, 3) n`;
  await writer.query(insert, [operatorId]);
  await commit('meanwhile');
  expect((await page(10)).rounds).toEqual(['meanwhile']);
  await writer.query('COMMIT');
  await commit('after it');
  expect((await page(2)).rounds).toEqual(['slow1', 'slow2']);
  expect(await left()).toBe(2);
  expect((await page(10)).rounds).toEqual(['slow3', 'after it']);
  expect(await left()).toBe(0);
});
