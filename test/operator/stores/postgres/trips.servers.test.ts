import { beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { type RoundHead, unseenRound } from '../../../../lib/operator/gameround';
import {
  createPostgresStore,
  type PostgresClient,
  type PostgresPool,
  type PostgresQuery,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import {
  type AccountStore,
  type CommitResult,
  doTransactions,
  type FollowResult,
  type RoundKey,
} from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { freshDelivery } from '../../../../lib/proof/subject/runner';
import { snapshotOf } from '../../../../lib/proof/contracts/case';
import {
  changeOf,
  give,
  openingOf,
  real,
  take,
  takeMore,
} from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const round: RoundKey = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(() =>
  startPostgres({ settings: { track_functions: 'none', autovacuum: 'off' } }),
);
let pool: Pool;
let store: AccountStore;
let statements: PostgresQuery[];

beforeEach(async () => {
  statements = [];
  const connectionString = await server().createDatabase();
  pool = cleanup.after(new Pool({ connectionString, max: 1 }));
  store = cleanup.after(createPostgresStore({ ...patience, pool: noting(pool), init: true }));
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: { units: 1_000_000n } } });
  statements.length = 0;
});

/** The pool, with every statement noted that goes through its connections. */
function noting(inner: Pool): PostgresPool {
  const clients = new WeakMap<PostgresClient, PostgresClient>();
  return {
    on: (...args) => inner.on(args[0] as 'error', args[1]),
    off: (...args) => inner.off(...args),
    end: () => inner.end(),
    async connect() {
      const client: PostgresClient = await inner.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const noted: PostgresClient = {
        query: (query) => {
          statements.push(query);
          return client.query(query);
        },
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event, listener),
        off: (event, listener) => client.off(event, listener),
      };
      clients.set(client, noted);
      return noted;
    },
  };
}

/** A commit of so many debits on the head. */
function debits(before: RoundHead, hashes: readonly string[]): Promise<CommitResult> {
  const shared = { currency: 'EUR', amount: 1n };
  const purse = { real: 0n, bonus: 0n };
  return store.rounds.commit(round, {
    before,
    after: { ...before, version: before.version + 1, state: 'open' },
    records: hashes.map((hash) => {
      const outcome = 'accepted';
      const more = { discount: 0n, first: false, serial: null, purse, at: 0, outcome } as const;
      const call = { delivery: 'Ab-_', behind: [], fingerprints: [] };
      return { hash, record: { type: 'debit', ...shared, ...more, ...call } };
    }),
    movements: hashes.map((hash) => ({ kind: 'take', hash, ...shared, bonusFirst: false })),
  });
}

/** Adds a credit under this hash, and a debit. */
async function follow(hash: string, to = round): Promise<FollowResult | undefined> {
  const parts = [give(hash, real(1n)), takeMore(`debit ${hash}`, 1n)];
  return store.rounds.follow?.(to, followUpOf(parts));
}

/** What the session has that a statement could have left there. */
async function session(): Promise<[unknown, unknown, (string | undefined)[]]> {
  const settings = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings ORDER BY name',
  );
  const locks = await pool.query("SELECT FROM pg_locks WHERE locktype = 'advisory'");
  const prepared = await pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
  return [settings.rows, locks.rows, prepared.rows.map(({ name }) => name)];
}

/** The next id of a transaction: only one that writes or holds rows has any. */
async function assigned(): Promise<unknown[]> {
  return (await pool.query('SELECT pg_snapshot_xmax(pg_current_snapshot()) AS next')).rows;
}

/** Pages of the tables and indexes of rounds that were looked at so far. */
async function pages(): Promise<bigint> {
  await pool.query('SELECT pg_stat_force_next_flush()').catch(() => undefined); // from 15 on
  const { rows } = await pool.query<{ n: string }>(
    `SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read) AS n
     FROM pg_statio_user_tables WHERE relname IN ('records', 'rounds')`,
  );
  return BigInt(rows[0]?.n ?? 0);
}

/** Pages that work looks at. */
async function costOf(work: () => Promise<unknown>): Promise<bigint> {
  const before = await pages();
  await work();
  return (await pages()) - before;
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const methods: Readonly<Record<string, () => Promise<unknown>>> = {
  load: () => store.rounds.load(round, ['a', 'b']),
  commit: () => debits(unseenRound, ['a', 'b']),
  'stale commit': () => debits({ ...unseenRound, version: 7 }, ['a']),
  follow: () => follow('f'),
  'follow-up of a round that is not running': () => follow('g', { ...round, gameRound: 'none' }),
  accounts: () => store.rounds.accounts(player),
  openPlayer: () =>
    store.players.openPlayer({ ...player, currency: 'USD', balances: { real: '1' } }),
  deposit: () => store.players.deposit({ ...player, amount: '1', reference: 'a' }),
  withdraw: () => store.players.withdraw({ ...player, amount: '1', reference: 'b' }),
  setBlocked: () => store.players.setBlocked(player, true),
  blocks: async () => store.players.blocks?.(player),
  limits: async () => store.players.limits?.(player),
  readPlayer: () => store.players.readPlayer(player),
  readRound: () => store.rounds.readRound(round),
  attention: () => listOf(store.lists.attention('op')),
  unfinished: () => listOf(store.lists.unfinished('op')),
};

test.each(Object.entries(methods))('%s is one statement', async (_, run) => {
  await run();
  expect(statements).toHaveLength(1);
  expect(statements[0]?.text).toMatch(
    /^SELECT line\[1\].* FROM "rgs_wallet"\.\w+\(\w+ => \$1.*\) AS line$/,
  );
});

test('no statement leaves anything in its session but itself, prepared once', async () => {
  const [settings, locks, ofReady] = await session();
  for (const run of [...Object.values(methods), ...Object.values(methods)]) await run();
  const [settingsAfter, locksAfter, prepared] = await session();
  expect([settingsAfter, locksAfter]).toEqual([settings, locks]);
  const names = new Set(statements.map(({ name }) => name));
  expect(new Set(prepared)).toEqual(new Set([...ofReady, ...names]));
  expect(names.size).toBe(new Set(statements.map(({ text }) => text)).size);
});

test('a name means one text, whatever the schema', async () => {
  const other = cleanup.after(
    createPostgresStore({ ...patience, pool: noting(pool), init: true, schema: 'other' }),
  );
  await other.ready();
  await methods['load']?.();
  await other.rounds.load(round, ['a', 'b']);
  // A migration names it too.
  const [one, two] = statements.filter(({ text }) => /^SELECT line.*load_round/.test(text));
  expect(one?.text).not.toBe(two?.text);
  expect(one?.name).not.toBe(two?.name);
});

test('without preparedStatements no statement has a name, and none stays in the session', async () => {
  const before = await session();
  const plain = cleanup.after(
    createPostgresStore({ ...patience, pool: noting(pool), preparedStatements: false }),
  );
  await plain.ready();
  await plain.rounds.load(round, ['a']);
  expect(statements.filter((statement) => 'name' in statement)).toEqual([]);
  expect(await session()).toEqual(before);
});

test('a follow-up is one statement, written or not', async () => {
  await store.rounds.commit(round, openingOf([take('d', 1n)]));
  statements.length = 0;
  expect((await follow('f'))?.kind).toBe('committed');
  expect((await follow('f'))?.kind).toBe('other');
  expect(statements.map(({ text }) => / FROM \S+\.(\w+)\(/.exec(text)?.[1])).toEqual([
    'follow_round',
    'follow_round',
  ]);
});

test('a follow-up that comes again, or is for another round, writes nothing and holds nothing', async () => {
  await store.rounds.commit(round, openingOf([take('d', 1n)]));
  await follow('f');
  const before = await assigned();
  expect((await follow('f'))?.kind).toBe('other');
  expect((await follow('g', { ...round, gameRound: 'none' }))?.kind).toBe('other');
  expect(await assigned()).toEqual(before);
  expect((await follow('g'))?.kind).toBe('committed');
  expect(await assigned()).not.toEqual(before);
});

test('a round of two calls is two statements, a resend of each one more, and a void two', async () => {
  const usual = { currency: 'EUR', amount: 5n, serial: null } as const;
  const debit = { type: 'debit', hash: 'd', ...usual, discount: 0n, isFirstDebit: true } as const;
  const win: Transaction[] = [
    { type: 'credit', hash: 'c', ...usual },
    { type: 'end', hash: 'e' },
  ];
  const order = { type: 'void', hash: 'd', currency: null, amount: null } as const;
  const sent = async (transactions: readonly Transaction[]) => {
    statements.length = 0;
    const call = { playerId: 'p', gameRound: 'r', gameCode: 'game', transactions };
    const outcome = await doTransactions(round, call, freshDelivery(), {
      rounds: store.rounds,
      clock: systemClock,
      policy: { useBonusFirst: false, creditTo: 'real' },
      deadlineMs: patience.commandTimeoutMs,
    });
    expect(outcome.verdicts.map((one) => one.outcome)).toEqual(transactions.map(() => 'processed'));
    return statements.map(({ text }) => / FROM \S+\.(\w+)\(/.exec(text)?.[1]);
  };
  expect(await sent([debit])).toEqual(['commit_round']);
  await sent([debit]); // noted as nobody's, once (D7)
  expect(await sent([debit])).toEqual(['commit_round']);
  expect(await sent(win)).toEqual(['follow_round']);
  expect(await sent(win)).toEqual(['follow_round']);
  expect(await sent([order])).toEqual(['load_round', 'commit_round']);
  expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
});

/** The functions that a call sends. */
async function sentBy(gameRound: string, transactions: readonly Transaction[]): Promise<unknown[]> {
  statements.length = 0;
  const call = { playerId: 'p', gameRound, gameCode: 'game', transactions };
  const outcome = await doTransactions({ ...round, gameRound }, call, freshDelivery(), {
    rounds: store.rounds,
    clock: systemClock,
    policy: { useBonusFirst: false, creditTo: 'real' },
    deadlineMs: patience.commandTimeoutMs,
  });
  expect(outcome.verdicts.map((one) => one.outcome)).toEqual(transactions.map(() => 'processed'));
  return statements.map(({ text }) => {
    const [, name = ''] = / FROM \S+\.(\w+)\(/.exec(text) ?? [];
    return text.includes('moment =>') ? `${name} with limits` : name;
  });
}

const usual = { currency: 'EUR', amount: 5n, serial: null } as const;
const debit = { type: 'debit', hash: 'd', ...usual, discount: 0n, isFirstDebit: true } as const;
const win = { type: 'credit', hash: 'c', ...usual } as const;
const order = { type: 'void', hash: 'd', currency: null, amount: null } as const;

test('a player without limits costs no more, also after a void that moves no money', async () => {
  expect(await sentBy('r', [debit, win])).toEqual(['commit_round']);
  // It takes 5 and gives 5 back: a limit would count it.
  expect(await sentBy('r', [order])).toEqual(['load_round', 'commit_round with limits']);
  expect(await sentBy('s', [debit])).toEqual(['commit_round']);
  expect(await sentBy('s', [win])).toEqual(['follow_round']);
});

test('a call of a player with limits is one statement once its zones are known', async () => {
  const limit = { currency: 'EUR', window: 'day', amount: '90' } as const;
  await store.players.setLimit?.(player, { ...limit, kind: 'stake' });
  const commit = 'commit_round';
  expect(await sentBy('r', [debit])).toEqual([commit, `${commit} with limits`]);
  expect(await sentBy('r', [win])).toEqual(['follow_round with limits']);
  await store.players.setLimit?.(player, { ...limit, kind: 'loss', zone: 'Europe/Malta' });
  expect(await sentBy('s', [debit])).toEqual([`${commit} with limits`, `${commit} with limits`]);
  for (const name of ['t', 'u', 'v']) {
    expect(await sentBy(name, [debit])).toEqual([`${commit} with limits`]);
  }
  statements.length = 0;
  await store.players.deposit({ ...player, amount: '1', reference: 'a' });
  expect(statements).toHaveLength(1);
});

test.each<[string, Partial<PostgresStoreOptions>]>([
  ['alone', {}],
  ['with events and a history', { events: ['books'], history: true }],
])('a whole round that comes again is one statement, in a store %s', async (_, more) => {
  const other = cleanup.after(createPostgresStore({ ...patience, ...more, pool: noting(pool) }));
  await other.ready();
  const hashes = Array.from({ length: 12 }, (_each, at) => `c"${at}`);
  const change = openingOf([take('d', 5n), ...hashes.map((hash) => give(hash, real(1n)))]);
  const all = ['d', ...hashes];
  expect((await other.rounds.commit(round, change, all)).kind).toBe('committed');
  statements.length = 0;
  const again = await other.rounds.commit(round, change, all);
  expect(statements).toHaveLength(1);
  expect(again).toEqual({ kind: 'stale', snapshot: await snapshotOf(other, round, all) });
});

test('a follow-up in a long round reads and writes no more than in a short one', async () => {
  let number = 0;
  const call = async () => {
    expect((await follow(`f${(number += 1)}`))?.kind).toBe('committed');
  };
  await store.rounds.commit(round, openingOf([take('d', 1n)]));
  for (let time = 0; time < 10; time += 1) await call(); // plans are made, and kept
  const short = await costOf(call);
  const { head } = await snapshotOf(store, round);
  const many = Array.from({ length: 20_000 }, (_, at) => give(`hash ${at}`, real(1n)));
  expect((await store.rounds.commit(round, changeOf(head, many))).kind).toBe('committed');
  for (let time = 0; time < 5; time += 1) await call();
  const long = await costOf(call);
  expect(short).toBeGreaterThan(0n);
  expect(long).toBeLessThan(short + 20n); // an index grows by a level or two
});

test('a call in a long round reads and writes no more than in a short one', async () => {
  let version = 0;
  const step = async (...hashes: string[]) => {
    const { kind } = await debits({ ...unseenRound, version }, hashes);
    version += 1;
    expect(kind).toBe('committed');
  };
  const call = async () => {
    await store.rounds.load(round, ['first 1']);
    await step(`call ${version}`);
  };
  await step('first 1');
  for (let time = 0; time < 10; time += 1) await call(); // plans are made, and kept
  const short = await costOf(call);
  await step(...Array.from({ length: 20_000 }, (_, at) => `hash ${at}`));
  for (let time = 0; time < 5; time += 1) await call();
  const long = await costOf(call);
  expect(short).toBeGreaterThan(0n);
  expect(long).toBeLessThan(short + 20n); // an index grows by a level or two
});
