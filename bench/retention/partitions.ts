import { Pool } from 'pg';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import { migrateSchema } from '../../lib/operator/stores/postgres/schema/migrate';
import { type Migration, migrations } from '../../lib/operator/stores/postgres/schema/migrations';
import type { AccountStore } from '../../lib/operator/wallet';
import { startPostgres } from '../../test/servers/postgres/server';
import { cpuSeconds } from '../cpu-time';
import { spreadOf, withRange } from '../report/spread';
import { openPlayers, playRounds, type RoundKind } from './rounds';

const blocks = 24;
const warmupBlocks = 4;
const roundsInBlock = 240;
/** Numbers of rounds in a partition. */
const span = 1_000_000_000;
const key = 'PRIMARY KEY (operator_id, player_id, round, hash, kind)\n);';

/** The schema with `records` partitioned by the number of the round; the last partition is the one that rounds are written to. */
function partitioned(count: number): readonly Migration[] {
  if (count === 0) return migrations;
  const parts = Array.from({ length: count }, (_, at) => {
    const end = at === count - 1 ? 'MAXVALUE' : (at + 1) * span;
    const bounds = `FROM (${at * span}) TO (${end})`;
    return `CREATE TABLE {schema}.records_${at} PARTITION OF {schema}.records FOR VALUES ${bounds};`;
  });
  return migrations.map((migration) => {
    if (migration.number !== 1) return migration;
    if (!migration.source.includes(key)) throw new Error('records has another key');
    const head = key.replace(');', ') PARTITION BY RANGE (round);');
    const by = [head, ...parts].join('\n');
    return { ...migration, source: migration.source.replace(key, () => by) };
  });
}

/**
 * What a round costs the server where `records` is partitioned, beside what it costs as it is: rows of the number of
 * partitions, microseconds of processor for a round, and the ratio of each block to that of the plain table beside it.
 */
export async function costOfPartitions(
  counts: readonly number[],
  kind: RoundKind,
  players: readonly string[],
): Promise<string[][]> {
  const server = await startPostgres({ settings: { autovacuum: 'off', shared_buffers: '256MB' } });
  const stores: AccountStore[] = [];
  try {
    const all = [0, ...counts];
    for (const count of all) {
      const schema = `parts_${count}`;
      const pool = new Pool({ connectionString: server.url, max: 1 });
      await migrateSchema(pool, schema, undefined, partitioned(count));
      await pool.end();
      const store = createPostgresStore({ url: server.url, schema, poolSize: 8 });
      stores.push(store);
      await store.ready();
      await openPlayers(store, players);
    }
    const seen: number[][] = all.map(() => []);
    for (let block = 0; block < warmupBlocks + blocks; block += 1) {
      for (let turn = 0; turn < all.length; turn += 1) {
        const at = (block + turn) % all.length;
        const before = cpuSeconds(server.pid);
        await playRounds(stores[at] as AccountStore, players, kind, roundsInBlock);
        const used = (cpuSeconds(server.pid) - before) * 1e6;
        if (block >= warmupBlocks) seen[at]?.push(used / roundsInBlock);
      }
    }
    return all.map((count, at) => {
      const own = seen[at] ?? [];
      const ratios = own.map((used, block) => used / (seen[0]?.[block] ?? Number.NaN));
      const cost = withRange(spreadOf(own), 0);
      return [count === 0 ? 'none' : String(count), cost, withRange(spreadOf(ratios), 3)];
    });
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await server.stop();
  }
}
