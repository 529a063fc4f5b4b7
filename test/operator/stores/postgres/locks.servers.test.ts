import { beforeEach, expect, test } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';

import { type Movement, type RoundHead, unseenRound } from '../../../../lib/operator/gameround';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore, CommitResult, PlayerKey } from '../../../../lib/operator/wallet';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(() => startPostgres({ settings: { deadlock_timeout: '10ms' } }));
let url: string;
let pool: Pool;
let store: AccountStore;

beforeEach(async () => {
  url = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }));
  store = cleanup.after(createPostgresStore({ ...patience, url, init: true }));
  await store.ready();
  for (const currency of ['EUR', 'USD']) {
    await store.players.openPlayer({ ...player, currency, balances: { real: '100' } });
  }
});

/** Commits a round of the player's that takes 1. */
function committed(
  by: AccountStore,
  of: PlayerKey,
  gameRound: string,
): Promise<{ readonly kind: string }> {
  const after: RoundHead = { ...unseenRound, version: 1, state: 'open' };
  return by.rounds.commit(
    { ...of, gameRound },
    { before: unseenRound, after, records: [], movements: [take] },
  );
}

function commit(
  gameRound: string,
  movements: readonly Movement[],
  before: RoundHead = unseenRound,
): Promise<CommitResult> {
  const after: RoundHead = { ...before, version: before.version + 1, state: 'open' };
  return store.rounds.commit({ ...player, gameRound }, { before, after, records: [], movements });
}

const take: Movement = { kind: 'take', hash: 'd', currency: 'EUR', amount: 1n, bonusFirst: false };

function give(currency: string): Movement {
  return { kind: 'give', hash: currency, currency, purse: { real: 1n, bonus: 0n } };
}

/** Holds rows until what it hands back is called. */
async function hold(rows: string): Promise<() => Promise<void>> {
  const holder: PoolClient = await pool.connect();
  await holder.query('BEGIN');
  expect((await holder.query(`SELECT FROM rgs_wallet.${rows} FOR UPDATE`)).rows).toHaveLength(1);
  return async () => {
    await holder.query('ROLLBACK');
    holder.release(true);
  };
}

async function count(query: string): Promise<number> {
  return (await pool.query(query)).rows.length;
}

const sessions = 'SELECT FROM pg_stat_activity WHERE datname = current_database()';
const waiting = (): Promise<number> => count(`${sessions} AND wait_event_type = 'Lock'`);
const isFree = async (rows: string): Promise<boolean> =>
  (await count(`SELECT FROM rgs_wallet.${rows} FOR UPDATE SKIP LOCKED`)) === 1;

test('commits that name the same accounts in different order never deadlock', async () => {
  const euro = "accounts WHERE currency = 'EUR'";
  const letEuroGo = await hold(euro);
  const letDollarGo = await hold("accounts WHERE currency = 'USD'");
  const one = commit('one', [give('EUR'), give('USD')]);
  await until('one to wait', async () => (await waiting()) === 1);
  const two = commit('two', [give('USD'), give('EUR')]);
  await until('both to wait', async () => (await waiting()) === 2);
  await letEuroGo();
  await until('one to go on', async () => !(await isFree(euro)) && (await waiting()) === 2);
  await letDollarGo();
  const results = await Promise.all([one, two]);
  expect(results.map(({ kind }) => kind)).toEqual(['committed', 'committed']);
  // A session reports its counts when it ends, at the latest.
  await store.close();
  const others = `${sessions} AND pid <> pg_backend_pid()`;
  await until('the sessions to end', async () => (await count(others)) === 0);
  const { rows } = await pool.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(rows).toEqual([{ deadlocks: '0' }]);
});

test('a block counts for a debit that has waited since before it was answered (D4.4)', async () => {
  const letGo = await hold("accounts WHERE currency = 'EUR'");
  const blocking = store.players.setBlocked(player, true);
  await until('the block to wait', async () => (await waiting()) === 1);
  const debiting = commit('r', [take]);
  await until('the debit to wait', async () => (await waiting()) === 2);
  await letGo();
  expect(await blocking).toEqual({ kind: 'done' });
  expect(await debiting).toEqual({ kind: 'refused', hash: 'd', reason: 'blocked' });
});

test('a debit that has waited is weighed against what is left then', async () => {
  const euro = "operator_id = 'op' AND player_id = 'p' AND currency = 'EUR'";
  const holder = await pool.connect();
  await holder.query(`BEGIN; UPDATE rgs_wallet.accounts SET real = 0 WHERE ${euro}`);
  const debiting = commit('r', [take]);
  await until('the debit to wait', async () => (await waiting()) === 1);
  await holder.query('COMMIT');
  holder.release();
  expect(await debiting).toEqual({ kind: 'refused', hash: 'd', reason: 'tooLow' });
});

test('an account that is opened for a blocked player is blocked too', async () => {
  await store.players.setBlocked(player, true);
  await store.players.openPlayer({ ...player, currency: 'SEK', balances: { real: '1' } });
  const krona = { ...take, currency: 'SEK' };
  expect(await commit('r', [krona])).toEqual({ kind: 'refused', hash: 'd', reason: 'blocked' });
});

test('a block is not answered while a debit that has not seen it is in flight', async () => {
  expect((await commit('r', [])).kind).toBe('committed');
  const letGo = await hold('rounds');
  const answered: string[] = [];
  const debiting = commit('r', [take], { ...unseenRound, version: 1 });
  await until('the debit to wait', async () => (await waiting()) === 1);
  const blocking = store.players.setBlocked(player, true).then(({ kind }) => answered.push(kind));
  await until('the block', async () => (await waiting()) === 2 || answered.length > 0);
  expect(answered).toEqual([]);
  await letGo();
  expect((await debiting).kind).toBe('committed');
  await blocking;
  expect(answered).toEqual(['done']);
});

test('calls of a player whose account is held take two connections, and the calls of others go on', async () => {
  const patient = cleanup.after(
    createPostgresStore({ url, commandTimeoutMs: 20_000, lockTimeoutMs: 15_000 }),
  );
  await patient.ready();
  const others = Array.from({ length: 30 }, (_, at) => ({ operatorId: 'op', playerId: `o${at}` }));
  const letGo = await hold("accounts WHERE player_id = 'p' AND currency = 'EUR'");
  const held = Array.from({ length: 12 }, (_, at) => committed(patient, player, `r${at}`));
  held.push(
    patient.players.deposit({ ...player, currency: 'EUR', amount: '1', reference: 'cash' }),
  );
  await until('calls of the player to wait', async () => (await waiting()) >= 2);
  for (const other of others) {
    const account = { ...other, currency: 'EUR', balances: { real: '100' } };
    expect((await patient.players.openPlayer(account)).kind).toBe('opened');
  }
  const results = await Promise.all(others.map((other) => committed(patient, other, 'r')));
  expect(results.map(({ kind }) => kind)).toEqual(others.map(() => 'committed'));
  expect(await waiting()).toBe(2);
  await letGo();
  const kinds = (await Promise.all(held)).map(({ kind }) => kind);
  expect(kinds).toEqual([...Array(12).fill('committed'), 'done']);
});
