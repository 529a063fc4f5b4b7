import { Pool } from 'pg';
import { createPostgresStore } from '../../lib/operator/stores/postgres';
import type { AccountStore } from '../../lib/operator/wallet';
import { type Clock, systemClock } from '../../lib/platform';
import { startPostgres } from '../../test/servers/postgres/server';
import { cpuSeconds } from '../cpu-time';
import { poolSize, retentionMs } from '../terms';

/** What a phase took, for each of the rounds it was for. */
export interface Cost {
  /** Bytes of the write-ahead log. */
  readonly walBytes: number;
  /** Microseconds of processor of the server, with the write-out of its pages. */
  readonly cpuUs: number;
}

/** A PostgreSQL of its own with two stores over one schema. Neither deletes by itself. */
export interface RetentionPlace {
  readonly pool: Pool;
  /** Its rounds expire the moment they are closed. */
  readonly short: AccountStore;
  /** Its rounds are kept. */
  readonly long: AccountStore;
  /** Does a work between two checkpoints, and resolves to what it took for each of so many rounds. */
  measure(rounds: number, work: () => Promise<unknown>): Promise<Cost>;
  stop(): Promise<void>;
}

// Enough to hold all of it, so that nothing but the checkpoints writes pages.
const settings = { autovacuum: 'off', shared_buffers: '512MB', max_wal_size: '16GB' };

/** The cleaner is the one thing of a store that waits in the background. */
const withoutCleaner: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs(),
  pause: (ms, signal, kind) => systemClock.pause(ms, signal, kind),
  after: (ms, work, kind) =>
    kind === 'background' ? () => undefined : systemClock.after(ms, work, kind),
};

/** @param fullPages whether the first change of a page after a checkpoint logs the page, as a server that is safe does */
export async function openPlace(fullPages: boolean): Promise<RetentionPlace> {
  const server = await startPostgres({
    settings: { ...settings, full_page_writes: fullPages ? 'on' : 'off' },
  });
  const pool = new Pool({ connectionString: server.url, max: 1 });
  const store = (keptMs: number, init: boolean) =>
    createPostgresStore({
      url: server.url,
      init,
      poolSize,
      retentionMs: keptMs,
      acceptLoss: !fullPages,
      clock: withoutCleaner,
    });
  const [short, long] = [store(1, true), store(retentionMs, false)];
  await short.ready();
  await long.ready();
  const logged = async (): Promise<bigint> => {
    const query = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes";
    const { rows } = await pool.query<{ bytes: string }>(query);
    return BigInt(rows[0]?.bytes ?? 0);
  };
  return {
    pool,
    short,
    long,
    async measure(rounds, work) {
      await pool.query('CHECKPOINT');
      const before = { bytes: await logged(), seconds: cpuSeconds(server.pid) };
      await work();
      const bytes = (await logged()) - before.bytes;
      await pool.query('CHECKPOINT');
      const seconds = cpuSeconds(server.pid) - before.seconds;
      return { walBytes: Number(bytes) / rounds, cpuUs: (seconds * 1e6) / rounds };
    },
    async stop() {
      await Promise.all([short.close(), long.close(), pool.end()]);
      await server.stop();
    },
  };
}
