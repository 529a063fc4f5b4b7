import { describe, expect, test } from '@jest/globals';
import { Pool } from 'pg';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { FullStore, RepairEntry } from '../../../lib/operator/wallet';
import { RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { startPostgres } from '../../servers/postgres/server';
import { withRedis } from '../../servers/redis/client';
import { startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { cleanupAfterEach, serverOfFile } from '../../support/each-test';

type Store = FullStore;

const cleanup = cleanupAfterEach();
const postgres = serverOfFile(startPostgres);
const redis = serverOfFile(startRedis);

async function ready<T extends Store>(store: T): Promise<T> {
  await cleanup.after(store).ready();
  return store;
}

function inRedis(namespace: string): Promise<Store> {
  return ready(createRedisStore({ ...patience, url: redis().url, namespace, init: true }));
}

function inPostgres(url: string, schema: string): Promise<Store> {
  return ready(createPostgresStore({ ...patience, url, schema, init: true, migrate: true }));
}

/** A stranded round in the store, as the RGS plays it and people repair it. */
function stranded(store: Store): Promise<RoundPlay> {
  return RoundPlay.stranded({ store, players: store.players });
}

async function listed(store: FullStore, operatorId: string): Promise<readonly RepairEntry[]> {
  const page = await store.repairs.list(operatorId);
  if (page.kind !== 'known') throw page.cause;
  return page.repairs;
}

/** Every line of the index. */
function members(namespace: string): Promise<string[]> {
  return withRedis(redis(), async (client) => {
    const keys = await client.keys(`${namespace}:*:repairs`);
    const all = await Promise.all(keys.map((key) => client.call('zrange', key, '0', '-1')));
    return all.flat() as string[];
  });
}

test('a cursor of another store is refused', async () => {
  const url = await postgres().createDatabase();
  const stores: Store[] = [
    createMemoryStore(),
    createMemoryStore(),
    await inRedis('one'),
    await inRedis('other'),
    await inPostgres(url, 'one'),
    await inPostgres(url, 'other'),
  ];
  for (const [at, store] of stores.entries()) {
    const play = await stranded(store);
    const { operatorId } = play.round;
    await play.proposed({});
    play.aheadMs = 25 * 3_600_000;
    await play.proposed({});
    const page = await store.repairs.list(operatorId, { limit: 1 });
    const cursor = (page.kind === 'known' ? page.next : null) ?? '';
    expect(await store.repairs.list(operatorId, { cursor })).toMatchObject({ next: null });
    for (const [place, other] of stores.entries()) {
      if (place === at) continue;
      await expect(other.repairs.list(operatorId, { cursor })).rejects.toThrow(TypeError);
    }
  }
});

describe('in Redis', () => {
  test('a round has one line in the index for each of its repairs, and none without', async () => {
    const store = await inRedis('lines');
    const play = await stranded(store);
    expect(await members('lines')).toEqual([]);
    const id = await play.proposed({});
    const { playerId, gameRound } = play.round;
    const [member, ...none] = await members('lines');
    expect([member?.split('/').slice(1), none]).toEqual([[playerId, gameRound, id], []]);
    await play.approve(id);
    expect(await members('lines')).toEqual([member]);
  });

  test('repairs that were proposed before there was a list are in it once another is', async () => {
    const store = await inRedis('older');
    const play = await stranded(store);
    await play.proposed({});
    await withRedis(redis(), async (client) => client.del(await client.keys('older:*:repairs')));
    expect(await listed(store, play.round.operatorId)).toEqual([]);
    play.aheadMs = 25 * 3_600_000;
    await play.repaired({});
    const found = await listed(store, play.round.operatorId);
    expect(found.map(({ repair }) => repair.status)).toEqual(['done', 'proposed']);
  });

  test('a store that does not answer is unknown, and no list without repairs', async () => {
    const store = await inRedis('silent');
    await store.close();
    expect(await store.repairs.list('op')).toMatchObject({ kind: 'unknown' });
  });
});

describe('in PostgreSQL', () => {
  test('a page is read from the index, whatever else the store holds', async () => {
    const url = await postgres().createDatabase();
    const store = await inPostgres(url, 'rgs_wallet');
    const play = await stranded(store);
    await play.repaired({});
    const pool = cleanup.after(new Pool({ connectionString: url }));
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT FROM rgs_wallet.repairs p WHERE p.operator_id = 'op'
        AND (p.proposed_at, p.player_id, p.game_round, p.repair) < (7, '', '', '')
        ORDER BY p.operator_id DESC, p.proposed_at DESC, p.player_id DESC, p.game_round DESC, p.repair DESC LIMIT 50`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Only Scan Backward using repairs_pkey');
    expect(plan).not.toContain('Sort');
  });
});
