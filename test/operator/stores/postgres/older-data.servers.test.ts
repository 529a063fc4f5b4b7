import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { type AccountStore, StoreUnsafeError } from '../../../../lib/operator/wallet';
import {
  createPostgresStore,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import { renewalIntervalMs } from '../../../../lib/operator/stores/lineage';
import { openingOf, give, real, take } from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { systemClock } from '../../../../lib/platform';
import { LateTimer } from '../../../proof/faults/late-timer';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const olderData =
  'PostgreSQL holds older data in the schema rgs_wallet than before: acknowledged calls are lost. Restore the newer data and restart, or restart to continue without it.';

const cleanup = cleanupAfterEach();
let server: PostgresServer;
let admin: Pool;
let url: string;
let database: string;
let watch: LateTimer;
let errors: string[];
let logged: object[];

beforeAll(async () => {
  server = await startPostgres();
  admin = new Pool({ connectionString: server.url });
});

beforeEach(async () => {
  url = await server.createDatabase();
  database = new URL(url).pathname.slice(1);
  watch = new LateTimer(systemClock, renewalIntervalMs);
  errors = [];
  logged = [];
});

afterAll(async () => {
  await admin.end();
  await server.stop();
});

function open(options: Partial<PostgresStoreOptions> = {}): AccountStore {
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => {
      errors.push(message);
      logged.push(fields);
    },
  };
  const common = { ...patience, url, logger, clock: watch.clock };
  return cleanup.after(createPostgresStore({ ...common, ...options }));
}

/** The store of the tests, with a player in it and its token. */
async function opened(options: Partial<PostgresStoreOptions> = {}): Promise<AccountStore> {
  const store = open({ init: true, ...options });
  await store.ready();
  const { kind } = await store.players.openPlayer({ ...player, balances: { real: '100' } });
  expect(kind).toBe('opened');
  await renewed(0);
  return store;
}

/** The times of the tokens in the schema, the latest last. */
async function renewals(): Promise<number[]> {
  const pool = new Pool({ connectionString: url });
  pool.on('error', () => {}); // cut off with the others
  try {
    const { rows } = await pool.query<{ at: number }>(
      'SELECT renewed_at::float AS at FROM rgs_wallet.lineage ORDER BY 1',
    );
    return rows.map(({ at }) => at);
  } finally {
    await pool.end();
  }
}

/** Resolves once the latest time of a token is after another. */
async function renewed(after: number): Promise<void> {
  await until('a token to be renewed', async () => ((await renewals()).at(-1) ?? 0) > after);
}

/** Copies a database over another, as a dump and its restore do: what is connected to either is cut off. */
async function copy(from: string, to: string): Promise<void> {
  await admin.query(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`);
  await until('nobody to be connected', async () => {
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      from,
    ]);
    const made = admin.query(`CREATE DATABASE ${to} TEMPLATE ${from}`);
    return made.then(
      () => true,
      () => false,
    );
  });
}

/** A look, which renews the token, and a deposit after it, that a restore will lose. */
async function goOn(store: AccountStore): Promise<void> {
  const before = (await renewals()).at(-1) ?? 0;
  watch.fire();
  await watch.rearmed();
  await renewed(before);
  const deposit = { ...player, amount: '1000', reference: `after ${before}` };
  await until('the deposit', async () => (await store.players.deposit(deposit)).kind === 'done');
}

function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function isRefused(store: AccountStore): Promise<void> {
  const error = await failure(store.ready());
  expect(error).toBeInstanceOf(StoreUnsafeError);
  expect(error).toMatchObject({ message: olderData });
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'unknown', cause: error });
}

test('an older backup under a running process is refused at the next call, whoever connects since, until a restart', async () => {
  const store = await opened();
  await copy(database, `${database}_backup`);
  await goOn(store);
  await copy(database, `${database}_newer`);
  await copy(`${database}_backup`, database);
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'unknown' });
  await isRefused(store);
  const report = open({ serves: false });
  for await (const books of report.players.books?.() ?? []) expect(books.currency).toBe('EUR');
  const another = open();
  await another.ready();
  expect(await another.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
  await isRefused(store);
  await copy(`${database}_newer`, database);
  await isRefused(store);
  expect(errors).toContain('PostgreSQL store refuses commands: server check failed');
});

test('older data under connections that stay are found by the next look', async () => {
  const store = await opened();
  const pool = cleanup.after(new Pool({ connectionString: url }));
  await pool.query('CREATE TABLE backup AS SELECT * FROM rgs_wallet.lineage');
  await goOn(store);
  // As `pg_restore --clean` leaves the table.
  await pool.query(
    'BEGIN; DELETE FROM rgs_wallet.lineage; INSERT INTO rgs_wallet.lineage SELECT * FROM backup; COMMIT',
  );
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'known' });
  watch.fire();
  await watch.rearmed();
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'unknown' });
  await isRefused(store);
});

test('a schema that was dropped and created anew is refused', async () => {
  const store = await opened();
  await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${database}`);
  await until('the next check', async () => {
    const error = await failure(store.ready());
    return error instanceof StoreUnsafeError && error.message.includes('does not exist');
  });
  await open({ init: true }).ready();
  await isRefused(store);
});

test('data as old as the latest look are used', async () => {
  const store = await opened();
  await copy(database, `${database}_backup`);
  await copy(`${database}_backup`, database);
  await until(
    'a new connection',
    async () => (await store.rounds.accounts(player)).kind === 'known',
  );
  await store.ready();
});

test('a failover that lost acknowledged commits is found at the next connection, and the rounds are named', async () => {
  const store = await opened();
  const opening = openingOf([take('d', 10_000n)]);
  const followed = { ...player, gameRound: 'followed' };
  const lost = { ...player, gameRound: 'lost' };
  expect(await store.rounds.commit(followed, opening)).toMatchObject({ kind: 'committed' });
  await copy(database, `${database}_behind`);
  await until(
    'a new connection',
    async () => (await store.rounds.accounts(player)).kind === 'known',
  );
  const win = followUpOf([give('w', real(5_000n))]);
  expect(await store.rounds.follow?.(followed, win)).toMatchObject({ kind: 'committed' });
  expect(await store.rounds.commit(lost, opening)).toMatchObject({ kind: 'committed' });
  // All tokens are in what the standby has: only the commits after them are not.
  await renewed((await renewals()).at(-2) ?? 0);
  const tokens = await renewals();
  await copy(`${database}_behind`, database);
  const pool = cleanup.after(new Pool({ connectionString: url }));
  await pool.query('UPDATE rgs_wallet.lineage SET renewed_at = $1', [tokens.at(-1)]);
  await until(
    'the refusal',
    async () => (await failure(store.ready())) instanceof StoreUnsafeError,
  );
  expect(String(await failure(store.ready()))).toContain(
    'PostgreSQL lacks acknowledged commits of 2 rounds',
  );
  const { operatorId, playerId } = player;
  expect(logged).toContainEqual({
    store: 'PostgreSQL',
    lost: 2,
    rounds: [
      { operatorId, playerId, gameRound: 'followed', version: 2 },
      { operatorId, playerId, gameRound: 'lost', version: 1 },
    ],
  });
  expect(store.server?.lostCommits).toBe(2);
});

test('with acceptOlderData a process goes on with older data, and it is logged', async () => {
  const store = await opened({ acceptOlderData: true });
  await copy(database, `${database}_backup`);
  await goOn(store);
  await copy(`${database}_backup`, database);
  await until(
    'a new connection',
    async () => (await store.rounds.accounts(player)).kind === 'known',
  );
  expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
  expect(errors).toContain(
    'the store continues with older data, in which acknowledged calls are missing: acceptOlderData is set',
  );
});

test('what only reads writes no token, and the newest hundred are kept', async () => {
  await (await opened()).close();
  const before = await renewals();
  const report = open({ serves: false });
  await report.ready();
  await report.close();
  expect(await renewals()).toEqual(before);
  const pool = cleanup.after(new Pool({ connectionString: url }));
  await pool.query(
    "INSERT INTO rgs_wallet.lineage SELECT 'former ' || n, n FROM generate_series(1, 150) AS n",
  );
  await open().ready();
  await until('the others to go', async () => (await renewals()).length === 100);
  expect((await renewals())[0]).toBe(53);
});
