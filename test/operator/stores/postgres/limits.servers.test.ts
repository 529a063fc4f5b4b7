import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';

import { type Movement, type RoundHead, unseenRound } from '../../../../lib/operator/gameround';
import type { TakenBack } from '../../../../lib/operator/gameround/change';
import { systemClock } from '../../../../lib/platform';
import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import type { AccountStore, CommitResult, LimitOrder } from '../../../../lib/operator/wallet';
import {
  credit as creditOf,
  debit as debitOf,
} from '../../../../lib/proof/contracts/repairs/round-play';
import { call as callOf, Wall } from '../../../proof/limits/case';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';

const player = { operatorId: 'op', playerId: 'p' };
const dayMs = 86_400_000;
const cleanup = new Cleanup();
let server: PostgresServer;
let url: string;
let pool: Pool;
let store: AccountStore;

beforeAll(async () => {
  server = await startPostgres({ settings: { deadlock_timeout: '10ms' } });
});

afterAll(() => server.stop());

beforeEach(async () => {
  url = await server.createDatabase();
  pool = cleanup.after(new Pool({ connectionString: url }), (made) => made.end());
  store = await anotherStore();
  for (const currency of ['EUR', 'USD']) {
    await store.players.openPlayer({ ...player, currency, balances: { real: '100' } });
  }
});

afterEach(() => cleanup.run());

/** A store of another process. */
async function anotherStore(): Promise<AccountStore> {
  const made = createPostgresStore({ ...patience, url, init: true, acceptMixed: true });
  await cleanup.after(made, (one) => one.close()).ready();
  return made;
}

interface Moves {
  readonly movements?: readonly Movement[];
  readonly takenBack?: readonly TakenBack[];
}

function commit(
  gameRound: string,
  { movements = [], takenBack }: Moves,
  { by = store, before = unseenRound }: { by?: AccountStore; before?: RoundHead } = {},
): Promise<CommitResult> {
  const after: RoundHead = { ...before, version: before.version + 1, state: 'open' };
  const back = takenBack === undefined ? {} : { takenBack };
  const change = { before, after, records: [], movements, ...back };
  return by.rounds.commit({ ...player, gameRound }, change);
}

function take(amount: bigint, currency = 'EUR'): Movement {
  return { kind: 'take', hash: 'd', currency, amount, bonusFirst: false };
}

/** What a void takes back that moves nothing: the debit, and a credit of as much. */
function evenVoid(units: bigint, at: number): TakenBack[] {
  const purse = { real: units, bonus: 0n };
  return [{ currency: 'EUR', at, debits: purse, credits: purse }];
}

async function limit(order: Partial<LimitOrder>, by = store): Promise<void> {
  const whole: LimitOrder = {
    kind: 'stake',
    currency: 'EUR',
    window: 'day',
    amount: { units: 1000n },
    ...order,
  };
  expect(await by.players.setLimit?.(player, whole)).toEqual({ kind: 'done' });
}

/** What counts for the limits of the player, by kind and currency. */
async function used(by = store): Promise<Record<string, bigint>> {
  const read = await by.players.limits?.(player);
  if (read?.kind !== 'known') throw new Error('The limits could not be read.');
  return Object.fromEntries(
    read.limits.map(({ kind, currency, used: units }) => [`${kind} ${currency}`, units]),
  );
}

/** Holds rows until what it hands back is called. */
async function hold(rows: string): Promise<() => Promise<void>> {
  const holder: PoolClient = await pool.connect();
  let isHeld = true;
  const letGo = async (): Promise<void> => {
    if (isHeld) await holder.query('ROLLBACK');
    if (isHeld) holder.release(true);
    isHeld = false;
  };
  cleanup.after(holder, letGo);
  await holder.query('BEGIN');
  expect((await holder.query(`SELECT FROM rgs_wallet.${rows} FOR UPDATE`)).rows).toHaveLength(1);
  return letGo;
}

async function count(query: string): Promise<number> {
  return (await pool.query(query)).rows.length;
}

const sessions = 'SELECT FROM pg_stat_activity WHERE datname = current_database()';
const waiting = (): Promise<number> => count(`${sessions} AND wait_event_type = 'Lock'`);
const [stake, loss] = ['limits WHERE kind = 1', 'limits WHERE kind = 2'];

async function deadlocks(): Promise<unknown> {
  // A session reports its counts when it ends, at the latest.
  await store.close();
  const others = `${sessions} AND pid <> pg_backend_pid()`;
  await until('the sessions to end', async () => (await count(others)) === 0);
  const query = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  return (await pool.query(query)).rows;
}

test('a limit counts for a debit that has waited since before it was answered (D13.1)', async () => {
  const letGo = await hold("accounts WHERE currency = 'EUR'");
  const limiting = limit({ amount: { units: 5n } });
  await until('the limit to wait', async () => (await waiting()) === 1);
  const debiting = commit('r', { movements: [take(6n)] });
  await until('the debit to wait', async () => (await waiting()) === 2);
  await letGo();
  await limiting;
  expect(await debiting).toEqual({ kind: 'refused', hash: 'd', reason: 'limitReached' });
});

test('a limit is not answered while a debit that has not seen it is in flight', async () => {
  expect((await commit('r', {})).kind).toBe('committed');
  const letGo = await hold('rounds');
  const answered: string[] = [];
  const before = { ...unseenRound, version: 1 };
  const debiting = commit('r', { movements: [take(6n)] }, { before });
  await until('the debit to wait', async () => (await waiting()) === 1);
  const limiting = limit({ amount: { units: 5n } }).then(() => answered.push('done'));
  await until('the limit', async () => (await waiting()) === 2 || answered.length > 0);
  expect(answered).toEqual([]);
  await letGo();
  expect((await debiting).kind).toBe('committed');
  await limiting;
});

test('a limit from history is refused for a window that began when rounds were kept for a shorter time', async () => {
  const now = Date.UTC(2026, 10, 25, 12);
  const clock = { ...systemClock, now: () => now };
  const shorter = createPostgresStore({
    ...patience,
    url,
    retentionMs: 3 * dayMs,
    acceptMixed: true,
  });
  await cleanup.after(shorter, (one) => one.close()).ready();
  const options = { ...patience, url, clock, acceptMixed: true, limitsFrom: 'history' } as const;
  const past = createPostgresStore({ ...options, retentionMs: 32 * dayMs });
  await cleanup.after(past, (one) => one.close()).ready();
  const order = { kind: 'stake', currency: 'EUR', amount: { units: 5n } } as const;
  const refused = { kind: 'refused', reason: 'historyTooShort' };
  expect(await past.players.setLimit(player, { ...order, window: 'month' })).toEqual(refused);
  expect(await past.players.setLimit(player, { ...order, window: 'week' })).toEqual({
    kind: 'done',
  });
});

test('a process that ends while it sets a limit from history leaves one that counts too much; sent again, it is exact', async () => {
  const now = Date.UTC(2026, 10, 25, 12);
  const clock = { ...systemClock, now: () => now };
  const options = { ...patience, url, clock, acceptMixed: true, limitsFrom: 'history' } as const;
  const past = createPostgresStore({ ...options, retentionMs: 32 * dayMs });
  await cleanup.after(past, (one) => one.close()).ready();
  const process = { store: past, clock, wall: new Wall() };
  await callOf(process, { ...player, gameRound: 'r' }, [
    debitOf('r', 40n, true),
    creditOf('c', 9n),
  ]);
  const ended = await pool.query<{ set_limit: string[] }>(
    'SELECT * FROM rgs_wallet.set_limit(false, 0, $1, $2, $3, $4, $5, null, null, null, newest_round => 0)',
    [
      'op',
      'p',
      '',
      'EUR UTC 2 0 50 -1 -1 20261125 202648 202611 -7 0 - -',
      'loss EUR day UTC real 50',
    ],
  );
  expect(ended.rows.map(({ set_limit: [kind, name] }) => [kind, name])).toMatchObject([
    ['past', '40'],
    ['round', 'r'],
    ['head', '1'],
  ]);
  const told = async () => (await past.players.limits(player)) as unknown;
  expect(await told()).toMatchObject({ limits: [{ used: 40n, remaining: 10n, isBound: true }] });
  const order = { kind: 'loss', currency: 'EUR', window: 'day', amount: { units: 50n } } as const;
  const refused = await callOf(process, { ...player, gameRound: 's' }, [debitOf('s', 11n, true)]);
  expect(refused).toEqual(['LIMITREACHED']);
  await callOf(process, { ...player, gameRound: 't' }, [debitOf('t', 10n, true)]);
  expect(await past.players.setLimit(player, order)).toEqual({ kind: 'done' });
  const exact = { limits: [{ used: 41n, remaining: 9n }] };
  expect(await told()).toMatchObject(exact);
  expect(await told()).not.toMatchObject({ limits: [{ isBound: true }] });
  await pool.query(
    "SELECT rgs_wallet.end_reading(false, 0, 'op', 'p', 2::smallint, 'EUR', -7, '{20261125,0,0}', '{-40,0,0}')",
  );
  expect(await told()).toMatchObject(exact);
});

test('an account that is opened for a player with limits is limited too', async () => {
  await limit({ amount: { units: 5n } });
  await store.players.openPlayer({ ...player, currency: 'SEK', balances: { real: '100' } });
  await limit({ currency: 'SEK', amount: { units: 5n } });
  const krona = { movements: [take(6n, 'SEK')] };
  expect(await commit('r', krona)).toMatchObject({ kind: 'refused', reason: 'limitReached' });
});

test('a void that moves nothing holds the accounts before the limits, as an order does', async () => {
  await limit({});
  await limit({ kind: 'loss' });
  expect((await commit('r', { movements: [take(6n)] })).kind).toBe('committed');
  const letGo = await hold(loss);
  const limiting = limit({ amount: { units: 900n } });
  await until('the order to wait', async () => (await waiting()) === 1);
  const before = { ...unseenRound, version: 1 };
  const voiding = commit('r', { takenBack: evenVoid(6n, Date.now()) }, { before });
  await until('both to wait', async () => (await waiting()) === 2);
  expect(await count(`SELECT FROM rgs_wallet.${stake} FOR UPDATE SKIP LOCKED`)).toBe(1);
  await letGo();
  await limiting;
  expect((await voiding).kind).toBe('committed');
  expect(await used()).toEqual({ 'stake EUR': 0n, 'loss EUR': 6n });
  expect(await deadlocks()).toEqual([{ deadlocks: '0' }]);
});

test('a void of a round of 20,000 calls counts within the time of a call', async () => {
  const short = createPostgresStore({ url, commandTimeoutMs: 20_000, acceptMixed: true });
  cleanup.after(short, (made) => made.close());
  await short.ready();
  for (const currency of ['EUR', 'USD']) {
    for (const kind of ['stake', 'loss'] as const) await limit({ kind, currency, window: 'month' });
  }
  const from = Date.now() + 1000;
  const takenBack = Array.from({ length: 20_000 }, (_, at) => evenVoid(1n, from + at)[0]);
  const many = { takenBack: takenBack as TakenBack[] };
  expect((await commit('r', many, { by: short })).kind).toBe('committed');
  expect((await used())['stake EUR']).toBe(-20_000n);
});

test('two processes at once never exceed a limit, wait for each other in a circle, or lose a count', async () => {
  const other = await anotherStore();
  const stores = [store, other];
  await limit({ amount: { units: 150n } });
  await limit({ kind: 'loss', currency: 'USD', amount: { units: 200n } }, other);
  await limit({ kind: 'deposit', amount: { units: 90n } });
  const result = { stake: 0n, loss: 0n, deposit: 0n };
  const lane = async (number: number): Promise<void> => {
    const by = stores[number % 2] ?? store;
    for (let turn = 0; turn < 12; turn += 1) {
      const name = `${number} ${turn}`;
      if (number < 4) {
        const currency = number % 2 === turn % 2 ? 'EUR' : 'USD';
        const { kind, ...more } = await commit(name, { movements: [take(7n, currency)] }, { by });
        if (kind === 'committed') result[currency === 'EUR' ? 'stake' : 'loss'] += 7n;
        else expect(more).toMatchObject({ reason: 'limitReached' });
      } else if (number < 6) {
        const order = { ...player, currency: 'EUR', amount: { units: 9n }, reference: name };
        const done = await by.players.deposit(order);
        if (done.kind === 'done') result.deposit += 9n;
        else expect(done).toEqual({ kind: 'refused', reason: 'limitReached' });
      } else if (number === 6) {
        const even = { takenBack: evenVoid(3n, Date.now() - 40 * dayMs) };
        expect((await commit(name, even, { by })).kind).toBe('committed');
      } else if (number === 7)
        await limit({ kind: 'loss', amount: { units: 10n + BigInt(turn) } }, by);
      else await by.players.setBlocked(player, true, { until: Date.now() + 1 });
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => lane(number)));
  expect(await used(other)).toMatchObject({
    'stake EUR': result.stake,
    'loss USD': result.loss,
    'deposit EUR': result.deposit,
  });
  expect(result.stake).toBeLessThanOrEqual(150n);
  expect(result.deposit).toBe(90n);
  await other.close();
  expect(await deadlocks()).toEqual([{ deadlocks: '0' }]);
});
