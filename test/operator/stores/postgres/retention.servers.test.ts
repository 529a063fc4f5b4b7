import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { type RoundState, unseenRound } from '../../../../lib/operator/gameround';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);
let url: string;
let pool: Pool;

beforeEach(async () => {
  url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
});

async function open(retentionMs: number): Promise<AccountStore> {
  const store = cleanup.after(
    createPostgresStore({
      url,
      init: true,
      retentionMs,
      commandTimeoutMs: 60_000,
      connectTimeoutMs: 60_000,
    }),
  );
  await store.ready();
  return store;
}

/** A round in this state with an end and a void on record, in rows of their own. */
async function play(store: AccountStore, gameRound: string, state: RoundState): Promise<void> {
  const opened = { ...unseenRound, version: 1, state: 'open' } as const;
  const end = { type: 'end', outcome: 'accepted', at: 1, fingerprints: [] } as const;
  const order = { type: 'void', purse: { real: 0n, bonus: 0n }, at: 1, fingerprints: [] } as const;
  const records = [
    { hash: 'e', record: end },
    { hash: 'd', record: order },
  ];
  const round = { operatorId: 'op', playerId: 'p', gameRound };
  const opening = { before: unseenRound, after: opened, records: [], movements: [] };
  expect((await store.rounds.commit(round, opening)).kind).toBe('committed');
  const after = { ...opened, version: 2, state };
  const result = await store.rounds.commit(round, {
    before: opened,
    after,
    records,
    movements: [],
  });
  expect(result.kind).toBe('committed');
}

async function rowsOf(table: 'rounds' | 'records'): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM rgs_wallet.${table}`,
  );
  return rows[0]?.n ?? -1;
}

test('rounds whose retention is over are deleted with their records, by any number of stores at once (D10)', async () => {
  const stores = await Promise.all([open(300), open(300), open(300)]);
  const names = Array.from({ length: 350 }, (_, at) => `closed ${at}`);
  await Promise.all(names.map((name, at) => play(stores[at % 3] as AccountStore, name, 'closed')));
  await play(stores[0], 'open', 'open');
  await play(stores[0], 'crashed', 'crashed');
  await until('the rounds to be deleted', async () => (await rowsOf('rounds')) === 2);
  expect(await rowsOf('records')).toBe(4);
});

test('a round that another has in hand is left, and those beside it are deleted', async () => {
  const store = await open(300);
  await play(store, 'held', 'closed');
  await play(store, 'other', 'closed');
  const holder = await pool.connect();
  await holder.query("BEGIN; SELECT FROM rgs_wallet.rounds WHERE game_round = 'held' FOR UPDATE");
  await until('the other round to be deleted', async () => (await rowsOf('rounds')) === 1);
  await holder.query('ROLLBACK');
  holder.release();
  await until('the round to be deleted', async () => (await rowsOf('rounds')) === 0);
});

test('a round whose retention is over is not seen, and begins anew, also before it is deleted', async () => {
  await play(await open(3_600_000), 'r', 'closed');
  await pool.query("UPDATE rgs_wallet.rounds SET expires_at = now() - interval '1 second'");
  // The one that acknowledged the round a moment ago would miss it with its next connection.
  const store = await open(3_600_000);
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
  const snapshot = { head: unseenRound, entries: new Map(), accounts: null };
  expect(await store.rounds.load(round, ['e', 'd'])).toEqual({ kind: 'loaded', snapshot });
  expect(await store.rounds.readRound(round)).toBeNull();
  const late = { before: { ...unseenRound, version: 2 }, after: { ...unseenRound, version: 3 } };
  expect(await store.rounds.commit(round, { ...late, records: [], movements: [] })).toEqual({
    kind: 'stale',
  });
  const after = { ...unseenRound, version: 1, state: 'open' } as const;
  const anew = await store.rounds.commit(round, {
    before: unseenRound,
    after,
    records: [],
    movements: [],
  });
  expect(anew.kind).toBe('committed');
  expect((await store.rounds.readRound(round))?.entries.size).toBe(0);
  expect(await rowsOf('records')).toBe(0);
});
