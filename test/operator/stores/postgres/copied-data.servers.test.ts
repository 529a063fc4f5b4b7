import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import {
  createPostgresStore,
  migratePostgres,
  type PostgresStoreOptions,
} from '../../../../lib/operator/stores/postgres';
import { changeOf, end, openHead, openingOf } from '../../../../lib/proof/contracts/changes';
import { Cleanup } from '../../../servers/cleanup';
import { type PostgresServer, startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';

const ann = { operatorId: 'op', playerId: 'ann' };
const by = { id: 'maria', name: 'Maria' };
const cleanup = new Cleanup();
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

afterEach(() => cleanup.run());

async function opened(url: string, options: Partial<PostgresStoreOptions> = {}) {
  const store = createPostgresStore({ ...patience, url, init: true, events: ['a'], ...options });
  cleanup.after(store, (made) => made.close());
  await store.ready();
  return store;
}

/** Copies all rows, as logical replication does: in no order, and nothing but rows. */
async function copyOf(url: string): Promise<string> {
  const copied = await server.createDatabase();
  await migratePostgres({ url: copied });
  const [from, to] = [url, copied].map((address) =>
    cleanup.after(new Pool({ connectionString: address, max: 1 }), (pool) => pool.end()),
  );
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
  await to?.query("UPDATE rgs_wallet.events SET tx = '9000000000'");
  return copied;
}

test('in a copy of the rows the next round, block and event of a player come after those before', async () => {
  const url = await server.createDatabase();
  const first = await opened(url, { history: true });
  await first.players.openPlayer({ ...ann, currency: 'EUR', balances: { real: '10' } });
  await first.players.setBlocked(ann, true, { by, reason: 'one' });
  for (const gameRound of ['r1', 'r2', 'r3']) {
    await first.rounds.commit({ ...ann, gameRound }, openingOf([end('e')]));
  }
  await first.rounds.commit({ ...ann, gameRound: 'r1' }, changeOf(openHead, [end('f')]));
  const url2 = await copyOf(url);
  const store = await opened(url2, { history: true });
  await store.players.setBlocked(ann, false, { by, reason: 'two' });
  await store.rounds.commit({ ...ann, gameRound: 'r4' }, openingOf([end('e')]));
  const page = await store.history.rounds(ann);
  expect(page).toMatchObject({
    rounds: ['r4', 'r3', 'r2', 'r1'].map((gameRound) => ({ gameRound })),
  });
  expect(await store.players.blocks?.(ann)).toMatchObject({
    blocks: [{ reason: 'two' }, { reason: 'one' }],
  });
  const told: string[] = [];
  for await (const batch of store.events.read({ consumer: 'a', operatorId: 'op' })) {
    told.push(...batch.events.map(({ gameRound, version }) => `${gameRound}/${version}`));
    await batch.done();
    break;
  }
  expect(told).toEqual(['r1/1', 'r2/1', 'r3/1', 'r1/2', 'r4/1']);
});

test('no table of the schema depends on a sequence', async () => {
  const url = await server.createDatabase();
  await migratePostgres({ url });
  const pool = cleanup.after(new Pool({ connectionString: url }), (made) => made.end());
  const { rows } = await pool.query("SELECT relname FROM pg_class WHERE relkind = 'S'");
  expect(rows).toEqual([]);
});
