import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { Pool } from 'pg';

import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createPostgresStore, migratePostgres } from '../../../../lib/operator/stores/postgres';
import { walletStoreHistories } from '../../../../lib/proof';
import { type Pgbouncer, startPgbouncer } from '../../../servers/postgres/pgbouncer';
import { type PlainPlatform, startPlainPlatform } from '../../../servers/postgres/plain-table';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { testSeed } from '../../../support/seed';
import { cleanupAfterEach } from '../../../support/each-test';

const GUIDE = join(__dirname, '../../../../docs/operations/postgres.md');
const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const cleanup = cleanupAfterEach();
let server: PostgresServer;
let bouncer: Pgbouncer;

beforeAll(async () => {
  server = await startPostgres();
  // Fewer sessions than clients: whatever one leaves behind, another finds.
  bouncer = await startPgbouncer(server, { settings: { default_pool_size: '3' } });
});

afterAll(async () => {
  await bouncer.stop();
  await server.stop();
});

describe('behind pgbouncer in transaction mode', () => {
  walletStoreHistories({
    seed: testSeed,
    runner: { describe, it, afterAll },
    createStore: (options) =>
      createPostgresStore({
        ...options,
        url: bouncer.url,
        schema: 'histories',
        init: true,
        sessionTimeouts: false,
        commandTimeoutMs: 10_000,
      }),
    histories: 100,
  });
});

describe("behind pgbouncer in transaction mode, over a platform's own tables", () => {
  let platform: PlainPlatform | undefined;
  let prepared: Promise<string> | undefined;
  const prepare = async () => {
    const direct = await server.createDatabase();
    platform = await startPlainPlatform(direct);
    return bouncer.through(direct);
  };
  afterAll(() => platform?.end());
  walletStoreHistories({
    seed: testSeed,
    runner: { describe, it, afterAll },
    createStore: async (options) => {
      prepared ??= prepare();
      const url = await prepared;
      if (platform === undefined) throw new Error('the platform is not prepared');
      const limits = { sessionTimeouts: false, commandTimeoutMs: 10_000 };
      return platform.wallet({ ...options, ...limits, url });
    },
    histories: 100,
  });
});

test('where sessions are lent, what was prepared in another is sent again without a name, once', async () => {
  const url = bouncer.through(await server.createDatabase());
  const told: string[] = [];
  const note = (_: object, message: string) => told.push(message);
  const logger = { info: note, warn: note, error: note };
  const options = { url, sessionTimeouts: false, logger } as const;
  const open = (init: boolean) => cleanup.after(createPostgresStore({ ...options, init }));
  const stores = [open(true), open(false)];
  for (const store of stores) await store.ready();
  const opening = stores.flatMap((store) =>
    Array.from({ length: 30 }, (_, at) =>
      store.players.openPlayer({ ...player, playerId: `p${at}`, balances: { real: '1' } }),
    ),
  );
  const kinds = (await Promise.all(opening)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual([...Array(30).fill('existed'), ...Array(30).fill('opened')]);
  const prepared = told.filter((message) => message.includes('prepared'));
  expect(prepared.length).toBeGreaterThan(0);
  expect(prepared.length).toBeLessThanOrEqual(stores.length);
});

test('many migrate at once through the same few sessions, and one does the work', async () => {
  const url = bouncer.through(await server.createDatabase());
  const reports = await Promise.all(Array.from({ length: 6 }, () => migratePostgres({ url })));
  expect(reports.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
});

test('pgbouncer refuses the settings of sessionTimeouts, unless configured to ignore them', async () => {
  const url = bouncer.through(await server.createDatabase());
  const refused = createPostgresStore({ url, init: true, connectTimeoutMs: 300 });
  cleanup.after(refused);
  await expect(refused.ready()).rejects.toThrow(/unsupported startup parameter/);
  const lenient = cleanup.after(
    await startPgbouncer(server, {
      settings: {
        ignore_startup_parameters: 'statement_timeout,idle_in_transaction_session_timeout',
      },
    }),
  );
  const asked = createPostgresStore({ url: lenient.url, schema: 'asked', init: true });
  cleanup.after(asked);
  await asked.ready();
});

test('a session that does not wait for the disk writes nothing, though the one that was checked does', async () => {
  const url = bouncer.through(await server.createDatabase());
  const store = cleanup.after(
    createPostgresStore({ url, init: true, sessionTimeouts: false, poolSize: 1 }),
  );
  await store.ready();
  const rival = cleanup.after(new Pool({ connectionString: url, max: 1 }));
  const [before] = [await store.players.openPlayer({ ...player, balances: { real: '1' } })];
  expect(before.kind).toBe('opened');
  await rival.query('SET synchronous_commit = off'); // the session goes back to the others so
  const deposited = await store.players.deposit({ ...player, amount: '1', reference: 'r' });
  expect(deposited.kind === 'unknown' && deposited.cause).toBeInstanceOf(StoreUnsafeError);
});

/**
 * Failed calls behind a pgbouncer with these settings, after a restart of a server that it could not reach
 * for a moment.
 */
async function callsInVain(settings: Readonly<Record<string, string>>): Promise<number> {
  const mortal = cleanup.after(await startPostgres());
  const pooler = cleanup.after(await startPgbouncer(mortal, { settings }));
  const store = cleanup.after(
    createPostgresStore({
      url: pooler.url,
      init: true,
      sessionTimeouts: false,
      commandTimeoutMs: 500,
    }),
  );
  await store.ready();
  await mortal.kill9();
  expect((await store.rounds.accounts(player)).kind).toBe('unknown'); // pgbouncer has tried to connect
  await mortal.restart();
  for (let inVain = 0; ; inVain++) {
    if ((await store.rounds.accounts(player)).kind === 'known') return inVain;
  }
}

test('with the server_login_retry of the guide fewer calls fail after a restart of the server', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const [, seconds = ''] = /`server_login_retry = (\d+)`/.exec(guide) ?? [];
  const few = await callsInVain({ server_login_retry: seconds });
  const many = await callsInVain({ server_login_retry: '7' }); // it is 15 by default
  expect(many).toBeGreaterThan(few + 4);
});
