import { Pool } from 'pg';
import { migrateSchema } from '../../lib/operator/stores/postgres/schema/migrate';
import { startPostgres } from '../../test/servers/postgres/server';

const batch = 1000;
const settings = { autovacuum: 'off', shared_buffers: '512MB', max_wal_size: '16GB' };

const expired = `INSERT INTO rgs_wallet.rounds (operator_id, player_id, game_round, number, version, state, resume, changed_at,
    started, credited, ended, unanswered, debits_real, debits_bonus, credits_real, credits_bonus, attention, expires_at)
  SELECT 'op', 'player ' || n % 1000, 'round ' || n, n, 1, 'closed', 'closed', 0, true, 0, 1, 0, 0, 0, 0, 0, false,
    now() - interval '1 day' + n * interval '1 millisecond'
  FROM generate_series(1, $1::int) AS n`;

/** Where each batch begins: at the earliest round, or where the batch before ended. */
export type Beginning = 'the earliest' | 'where the last ended';

/** Milliseconds that each batch of deletes took while a transaction was open that began before them. */
export async function timesOfBatches(rounds: number, beginning: Beginning): Promise<number[]> {
  const server = await startPostgres({ settings });
  const pool = new Pool({ connectionString: server.url, max: 2 });
  try {
    await migrateSchema(pool, 'rgs_wallet');
    await pool.query(expired, [rounds]);
    await pool.query('VACUUM ANALYZE rgs_wallet.rounds');
    const report = await pool.connect();
    await report.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM rgs_wallet.settings');
    const times: number[] = [];
    let from: string | null = null;
    for (let left = rounds; left > 0; left -= batch) {
      const started = performance.now();
      const answer: { rows: { line: [string, string | null] }[] } = await pool.query({
        name: 'forget',
        text: 'SELECT line FROM rgs_wallet.forget_expired(at_most => $1, from_us => $2) AS line',
        values: [batch, from],
      });
      times.push(performance.now() - started);
      const [count, reached] = answer.rows[0]?.line ?? ['0', null];
      if (Number(count) !== Math.min(batch, left)) throw new Error(`${count} rounds were deleted`);
      if (beginning === 'where the last ended') from = reached;
    }
    report.release(true);
    return times;
  } finally {
    await pool.end();
    await server.stop();
  }
}
