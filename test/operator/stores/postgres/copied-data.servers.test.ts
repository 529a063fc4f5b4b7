import { describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  createPostgresStore,
  migratePostgres,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import type { FullStore } from '../../../../lib/operator/wallet';
import { changeOf, end, openHead, openingOf, take } from '../../../../lib/proof/contracts/changes';
import { startPlainPlatform } from '../../../servers/postgres/plain-table';
import { startPostgres } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { ofRounds } from '../../../../lib/proof/contracts/events/case';
import { cleanupAfterEach, serverOfFile } from '../../../support/each-test';

const ann = { operatorId: 'op', playerId: 'ann' };
const by = { id: 'maria', name: 'Maria' };
const cleanup = cleanupAfterEach();
const server = serverOfFile(startPostgres);

function connected(url: string): Pool {
  return cleanup.after(new Pool({ connectionString: url, max: 1 }));
}

type ListedStore = Pick<FullStore, 'rounds' | 'history'>;

/** A store with its own accounts, and Ann; without events, whose commits take turns. */
async function withAccounts(url: string): Promise<ListedStore> {
  const store = await opened(url, { events: [], history: true });
  await store.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '10' } });
  return store;
}

/** One over a table of the platform, and Ann in it. */
async function ownTables(url: string): Promise<ListedStore> {
  const platform = cleanup.after(await startPlainPlatform(url));
  await platform.players.openPlayer({
    ...ann,
    currency: 'EUR',
    balances: { real: { units: 10n } },
  });
  const { store } = platform.wallet({ ...patience, url });
  cleanup.after(store);
  await store.ready();
  return store;
}

/** The rounds of Ann, the latest first. */
async function listed(store: ListedStore): Promise<string[]> {
  const page = await store.history.rounds(ann);
  return page.kind === 'known' ? page.rounds.map(({ gameRound }) => gameRound) : [];
}

/** What a consumer reads first: rounds and their versions. */
async function told(store: Awaited<ReturnType<typeof opened>>): Promise<string[]> {
  for await (const batch of store.events.read({ consumer: 'a', operatorId: 'op' })) {
    await batch.done();
    return ofRounds(batch.events).map(({ gameRound, version }) => `${gameRound}/${version}`);
  }
  return [];
}

async function opened(url: string, options: Partial<PostgresStoreOptions> = {}) {
  const store = createPostgresStore({ ...patience, url, init: true, events: ['a'], ...options });
  cleanup.after(store);
  await store.ready();
  return store;
}

/** Copies all rows, as logical replication does: in no order, and nothing but rows. */
async function copyOf(url: string): Promise<string> {
  const copied = await server().createDatabase();
  await migratePostgres({ url: copied });
  const [from, to] = [url, copied].map(connected);
  const { rows = [] } =
    (await from?.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'rgs_wallet' AND tablename <> 'migrations'",
    )) ?? {};
  for (const { name } of rows) {
    const table = `rgs_wallet.${name}`;
    const list = await from?.query<{ row: unknown }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY md5(t::text)`,
    );
    await to?.query(`TRUNCATE ${table}`);
    for (const { row } of list?.rows ?? []) {
      await to?.query(`INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, $1)).*`, [
        row,
      ]);
    }
  }
  await to?.query("UPDATE rgs_wallet.settings SET value = '1' WHERE name = 'events_cluster'");
  return copied;
}

test('in a copy of the rows the next round, block and event of a player come after those before', async () => {
  const url = await server().createDatabase();
  const first = await opened(url, { history: true });
  await first.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '10' } });
  await first.players.setBlocked(ann, true, { by, reason: 'one' });
  for (const gameRound of ['r1', 'r2', 'r3']) {
    await first.rounds.commit({ ...ann, gameRound }, openingOf([end('e')]));
  }
  await first.rounds.commit({ ...ann, gameRound: 'r1' }, changeOf(openHead, [end('f')]));
  const copied = await copyOf(url);
  await connected(copied).query("UPDATE rgs_wallet.events SET tx = '9000000000'");
  const store = await opened(copied, { history: true });
  await store.players.setBlocked(ann, false, { by, reason: 'two' });
  await store.rounds.commit({ ...ann, gameRound: 'r4' }, openingOf([end('e')]));
  expect(await listed(store)).toEqual(['r4', 'r3', 'r2', 'r1']);
  expect(await store.players.blocks?.(ann)).toMatchObject({
    blocks: [{ reason: 'two' }, { reason: 'one' }],
  });
  expect(await told(store)).toEqual(['r1/1', 'r2/1', 'r3/1', 'r1/2', 'r4/1']);
});

test('events of a player keep their order in a copy, though the clock was set back between them', async () => {
  const url = await server().createDatabase();
  const first = await opened(url);
  await first.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '10' } });
  for (const gameRound of ['r1', 'r2', 'r3']) {
    await first.rounds.commit({ ...ann, gameRound }, openingOf([end('e')]));
  }
  await connected(url).query(
    "UPDATE rgs_wallet.events SET at = at - interval '1 hour' WHERE game_round = 'r3'",
  );
  expect(await told(await opened(await copyOf(url)))).toEqual(['r1/1', 'r2/1', 'r3/1']);
});

describe.each([
  ['accounts', withAccounts],
  ['own tables', ownTables],
] as const)('over %s', (_, open) => {
  test('a round opened after the clock was set back is listed above those before', async () => {
    const url = await server().createDatabase();
    const store = await open(url);
    for (const gameRound of ['r1', 'r2']) {
      await store.rounds.commit({ ...ann, gameRound }, openingOf([take('d', 1n)]));
    }
    // Opened while the clock was an hour ahead.
    await connected(url).query('UPDATE rgs_wallet.records SET round = round + 3600000000');
    await connected(url).query('UPDATE rgs_wallet.rounds SET number = number + 3600000000');
    for (const gameRound of ['r3', 'r4']) {
      await store.rounds.commit({ ...ann, gameRound }, openingOf([take('d', 1n)]));
    }
    expect(await listed(store)).toEqual(['r4', 'r3', 'r2', 'r1']);
  });

  test('a new round is written though others of the player take the number that it wants, again and again', async () => {
    const url = await server().createDatabase();
    const store = await open(url);
    await store.rounds.commit({ ...ann, gameRound: 'r0' }, openingOf([end('e')]));
    // Opened while the clock was an hour ahead: each round now takes the number after the last.
    await connected(url).query('UPDATE rgs_wallet.rounds SET number = number + 3600000000');
    const others = [1, 2, 3].map((after) => ({ after, client: connected(url) }));
    for (const { after, client } of others) {
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO rgs_wallet.rounds SELECT (jsonb_populate_record(r,
          jsonb_build_object('game_round', 'other ${after}', 'number', r.number + ${after}))).*
        FROM rgs_wallet.rounds r WHERE r.game_round = 'r0'`,
      );
    }
    let answer: string | null = null;
    const written = store.rounds
      .commit({ ...ann, gameRound: 'r1' }, openingOf([end('e')]))
      .then(({ kind }) => (answer = kind));
    for (const { client } of others) {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await until('the round to wait for the other one', async () => {
        const waiting = await connected(url).query(
          'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
          [rows[0]?.pid],
        );
        return waiting.rowCount === 1 || answer !== null;
      });
      await client.query('COMMIT');
    }
    expect(await written).toBe('committed');
    expect(await listed(store)).toEqual(['r1', 'other 3', 'other 2', 'other 1', 'r0']);
  });
});

test('a round that waited for its account is listed above those written meanwhile', async () => {
  const url = await server().createDatabase();
  const store = await withAccounts(url);
  const pool = connected(url);
  await pool.query('BEGIN');
  await pool.query('SELECT FROM rgs_wallet.accounts FOR UPDATE');
  const waited = store.rounds.commit({ ...ann, gameRound: 'waited' }, openingOf([take('d', 7n)]));
  await until('the round to wait', async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return rowCount === 1;
  });
  await store.rounds.commit({ ...ann, gameRound: 'quick' }, openingOf([end('e')]));
  await pool.query('COMMIT');
  expect(await waited).toMatchObject({ kind: 'committed' });
  expect(await listed(store)).toEqual(['waited', 'quick']);
});

test('no table of the schema depends on a sequence', async () => {
  const url = await server().createDatabase();
  await migratePostgres({ url });
  const pool = cleanup.after(new Pool({ connectionString: url }));
  const { rows } = await pool.query("SELECT relname FROM pg_class WHERE relkind = 'S'");
  expect(rows).toEqual([]);
});
