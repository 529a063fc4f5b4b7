/**
 * `npm run bench:totals`: bytes that a row of the totals takes in Redis and in PostgreSQL, of rounds with bets and wins: a day
 * of some games in one currency, by start and by end.
 */
import { Redis } from 'ioredis';
import { Pool } from 'pg';

import { createPostgresStore } from '../lib/operator/stores/postgres';
import { scripts } from '../lib/operator/stores/redis/commands/scripts';
import { closeClient } from '../test/servers/redis/client';
import { startPostgres } from '../test/servers/postgres/server';
import { startRedis } from '../test/servers/redis/server';
import { noArguments } from './arguments';

const games = 30;
const quarters = 96;
const rows = 2 * games * quarters;

/** As the store writes a quarter: games, bet and win of each game, by both times. */
function fieldsOfQuarter(): string[] {
  return Array.from({ length: 2 * games }, (_, at) => {
    const name = (place: string) => `${at % 2}${place} EUR game-of-usual-length-${at >> 1}`;
    return [name('0'), '412', name('2'), '2060000', name('3'), '1954321'];
  }).flat();
}

async function inRedis(): Promise<number> {
  const server = await startRedis();
  const client = new Redis(server.url);
  try {
    let bytes = 0;
    for (let quarter = 0; quarter < quarters; quarter++) {
      const key = `rgs:{casino:totals}:q:${1_990_000 + quarter}`;
      const call = { cursors: 'c{casino:totals}', marks: 'm{casino:totals}', since: 1 };
      const writes = [`q${JSON.stringify(fieldsOfQuarter())}`];
      const written = { ...call, moves: '[]', gaps: '[]', targets: [key], writes };
      await client.call('EVAL', ...scripts.addTotals.evaluated(written));
      bytes += Number(await client.call('MEMORY', 'USAGE', key, 'SAMPLES', 0));
    }
    return bytes / rows;
  } finally {
    closeClient(client);
    await server.stop();
  }
}

async function inPostgres(): Promise<number> {
  const server = await startPostgres();
  const url = await server.createDatabase();
  const pool = new Pool({ connectionString: url });
  try {
    const store = createPostgresStore({ url, init: true });
    await store.ready();
    await store.close();
    await pool.query(
      `INSERT INTO rgs_wallet.totals SELECT 'casino', 1990000 + q, CASE b WHEN 0 THEN 'start' ELSE 'end' END,
         'game-of-usual-length-' || g, 'EUR', 412, 0, 2060000, 1954321, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
       FROM generate_series(1, $1::int) q, generate_series(0, 1) b, generate_series(1, $2::int) g`,
      [quarters, games],
    );
    const { rows: found } = await pool.query<{ bytes: string }>(
      `SELECT pg_total_relation_size('rgs_wallet.totals') AS bytes`,
    );
    return Number(found[0]?.bytes) / rows;
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function main(): Promise<void> {
  noArguments({
    command: 'npm run bench:totals',
    does: 'Measures the bytes of a row of the totals.',
  });
  const [redis, postgres] = [await inRedis(), await inPostgres()];
  process.stdout.write(
    `bytes a row, of ${rows}: Redis ${redis.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)}\n`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
