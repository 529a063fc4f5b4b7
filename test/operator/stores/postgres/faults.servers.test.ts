import { beforeEach, describe, expect, test } from '@jest/globals';
import { Pool, type PoolClient } from 'pg';

import { type Movement, unseenRound } from '../../../../lib/operator/gameround';
import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import type { AccountStore, CashResult } from '../../../../lib/operator/wallet';
import { nextTurn } from '../../../../lib/platform/turn';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };

const cleanup = cleanupAfterEach();
let server: PostgresServer;
let admin: Pool;

beforeEach(async () => {
  server = cleanup.after(await startPostgres({ settings: { deadlock_timeout: '50ms' } }));
  admin = cleanup.after(new Pool({ connectionString: server.url }));
  admin.on('error', () => undefined); // the server goes down in some of the tests
});

async function open(options: Partial<PostgresStoreOptions> = {}): Promise<AccountStore> {
  const where = options.pool === undefined ? { url: server.url } : {};
  const store = cleanup.after(
    createPostgresStore({ ...patience, ...where, decimals: 0, init: true, ...options }),
  );
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '100' } });
  return store;
}

function deposit(store: AccountStore, reference: string): Promise<CashResult> {
  return store.players.deposit({ ...player, amount: '1', reference });
}

/** Holds the player's account in a transaction of another. */
async function holdAccount(): Promise<{ release: () => Promise<void> }> {
  const client: PoolClient = await admin.connect();
  await client.query('BEGIN; SELECT FROM rgs_wallet.accounts FOR UPDATE');
  let release: (() => void) | null = () => client.release(true);
  cleanup.after(client, () => release?.());
  return {
    async release() {
      await client.query('ROLLBACK');
      client.release();
      release = null;
    },
  };
}

/** Statements of others that wait for a lock now. */
async function waiting(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
  );
  return rows[0]?.n ?? 0;
}

function give(currency: string): Movement {
  return { kind: 'give', hash: currency, currency, purse: { real: 1n, bonus: 0n } };
}

test('a lock that is held shortly is waited for', async () => {
  const store = await open();
  const lock = await holdAccount();
  const moving = deposit(store, 'r');
  await until('the deposit to wait', async () => (await waiting()) === 1);
  await lock.release();
  expect(await moving).toMatchObject({ kind: 'done', replay: false });
});

test('a lock that takes too long is tried again within the deadline', async () => {
  const store = await open({ lockTimeoutMs: 20 });
  const lock = await holdAccount();
  const moving = deposit(store, 'r');
  await until('the lock to be refused', async () => (await lockTimeouts()) > 1);
  await lock.release();
  expect(await moving).toMatchObject({ kind: 'done', replay: false });
});

/** How often a statement was undone in this database. */
async function lockTimeouts(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    'SELECT xact_rollback::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.n ?? 0;
}

test('a lock that outlasts the deadline leaves nothing behind, and is answered as unknown', async () => {
  const clock = new LeapingClock();
  const store = await open({ clock, lockTimeoutMs: 1_000 });
  const lock = await holdAccount();
  const moving = deposit(store, 'r');
  await until('the deposit to wait', async () => (await waiting()) === 1);
  clock.leap(patience.commandTimeoutMs);
  expect(await moving).toMatchObject({ kind: 'unknown' });
  await until('nothing to wait any more', async () => (await waiting()) === 0);
  await lock.release();
  expect(await deposit(store, 'r')).toMatchObject({ kind: 'done', replay: false });
});

test('the victim of a deadlock with another’s transaction is tried again', async () => {
  const store = await open();
  await store.players.openPlayer({ ...player, currency: 'USD', balances: { real: '100' } });
  const rival = await admin.connect();
  // The rival looks for deadlocks late, so that the store is the one to find it.
  await rival.query("SET deadlock_timeout = '10min'");
  await rival.query("BEGIN; SELECT FROM rgs_wallet.accounts WHERE currency = 'USD' FOR UPDATE");
  const after = { ...unseenRound, version: 1 };
  const movements = [give('EUR'), give('USD')];
  const round = { ...player, gameRound: 'r' };
  const committing = store.rounds.commit(round, {
    before: unseenRound,
    after,
    records: [],
    movements,
  });
  await until('the commit to wait', async () => (await waiting()) === 1);
  await rival.query("SELECT FROM rgs_wallet.accounts WHERE currency = 'EUR' FOR UPDATE");
  await rival.query('ROLLBACK');
  rival.release(true);
  const committed = await committing;
  expect(committed.kind).toBe('committed');
  const { accounts } = committed.kind === 'committed' ? committed : {};
  expect(accounts?.map(({ real }) => real)).toEqual([101n, 101n]);
});

test('the error of a connection is heard from the moment the pool gives it out', async () => {
  const pool = cleanup.after(new Pool({ connectionString: server.url }));
  pool.on('error', () => undefined);
  const unheard: unknown[] = [];
  pool.on('acquire', (client) => {
    queueMicrotask(() => {
      try {
        client.emit('error', new Error('the server ended'));
      } catch (error) {
        unheard.push(error);
      }
    });
  });
  const store = await open({ pool });
  expect(await deposit(store, 'r')).toMatchObject({ kind: 'done' });
  expect(unheard).toEqual([]);
});

test('a call that finds no connection in time is unknown, and does not hang', async () => {
  const pool = cleanup.after(new Pool({ connectionString: server.url, max: 1 }));
  const clock = new LeapingClock();
  const store = await open({ pool, clock });
  const taken = await pool.connect();
  const asking = Promise.all([deposit(store, 'r'), store.rounds.accounts(player)]);
  await until('both to wait', () => pool.waitingCount === 2);
  clock.leap(patience.commandTimeoutMs);
  const answers = await asking;
  expect(answers.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
  taken.release();
  expect(await deposit(store, 'r')).toMatchObject({ kind: 'done', replay: false });
  expect(pool.totalCount).toBe(1);
  expect(pool.waitingCount).toBe(0);
});

test('a server that hangs is unknown at the deadline, and the connection is thrown away', async () => {
  const pool = cleanup.after(new Pool({ connectionString: server.url, max: 1 }));
  const clock = new LeapingClock();
  const store = await open({ pool, clock });
  await server.pause();
  const moving = deposit(store, 'r');
  await until('the connection to be taken', () => pool.idleCount === 0);
  await nextTurn(); // by then the statement is on its way
  clock.leap(patience.commandTimeoutMs);
  expect(await moving).toMatchObject({ kind: 'unknown' });
  expect(pool.idleCount).toBe(0);
  await server.resume();
  await until('the store to answer', async () => (await deposit(store, 'r')).kind === 'done');
  const accounts = [{ currency: 'EUR', real: 101n, bonus: null }];
  expect(await store.rounds.accounts(player)).toEqual({ kind: 'known', accounts });
});

describe('a server that was restarted', () => {
  test('is used again by itself, and what was acknowledged is there', async () => {
    const store = await open();
    for (let time = 1; time <= 3; time += 1) {
      expect(await deposit(store, `r ${time}`)).toMatchObject({ kind: 'done' });
      await server.restart();
      const known = await until('the store to answer', async () => {
        const answer = await store.rounds.accounts(player);
        return answer.kind === 'known' && answer;
      });
      expect(known.accounts?.[0]?.real).toBe(100n + BigInt(time));
    }
  });

  test('is checked before it is used again: its settings may have changed', async () => {
    const store = await open();
    await admin.query("ALTER SYSTEM SET fsync = 'off'");
    await server.restart();
    const refused = await until('the store to look', async () => {
      const answer = await store.rounds.accounts(player);
      const isUnsafe = answer.kind === 'unknown' && answer.cause instanceof StoreUnsafeError;
      return isUnsafe && answer.cause;
    });
    expect(refused.message).toContain('fsync must be on');
  });

  test('lost the idle connections of a pool that nobody listens to, and the process lives on', async () => {
    const pool = cleanup.after(new Pool({ connectionString: server.url }));
    const store = await open({ pool });
    await server.kill9();
    await until('the pool to notice', () => pool.totalCount === 0);
    await server.restart();
    await until('the store to answer', async () => (await deposit(store, 'r')).kind === 'done');
  });
});

test('statements in flight when the store is closed are unknown, and close does not wait for them', async () => {
  // Longer than any test: if close waited for them, this one would not end.
  const store = await open({ commandTimeoutMs: 3_600_000 });
  const lock = await holdAccount();
  const moving = deposit(store, 'r');
  await until('the deposit to wait', async () => (await waiting()) === 1);
  await store.close();
  expect(await moving).toMatchObject({ kind: 'unknown' });
  await lock.release();
});
