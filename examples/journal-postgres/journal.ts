// The journal of a remote game server in a table of PostgreSQL. It has one writer: a second one meets a
// number that is taken, and stops. synchronous_commit must be on, as it is by default.
import type { Pool } from 'pg';
import type { Journal, JournalEvent } from 'rgs-wallet-kit/sandbox';

const manyRows = 10_000;

/** Opens what the table holds. */
export async function openPostgresJournal(pool: Pool): Promise<Journal> {
  const { rows } = await pool.query<{ last: string }>(
    'SELECT coalesce(max(n), 0) AS last FROM journal',
  );
  let last = Number(rows[0]?.last);
  let [snapshotAt, isClosed] = [last, false];
  let failure: unknown = null;
  let queue: Promise<unknown> = Promise.resolve();
  const write = (sql: string, events: string): Promise<void> => {
    const done = queue.then(async () => {
      if (failure !== null) throw failure;
      await pool.query(sql, [last + 1, events]);
      last += 1;
    });
    queue = done.catch(() => {});
    return done;
  };
  return {
    append: async (events) => {
      if (isClosed) throw new Error('the journal is closed');
      try {
        await write('INSERT INTO journal VALUES ($1, $2)', JSON.stringify(events));
      } catch (error) {
        failure ??= error; // what is durable is unknown: no later append may succeed
        throw failure;
      }
    },
    async *replay() {
      for (let n = '0'; ; ) {
        const page = 'SELECT n, events FROM journal WHERE n > $1 ORDER BY n LIMIT 100';
        const found = (await pool.query<{ n: string; events: string }>(page, [n])).rows;
        for (const { events } of found) yield* JSON.parse(events) as JournalEvent[];
        if (found.length === 0) return;
        n = found.at(-1)?.n ?? n;
      }
    },
    compact: async (snapshot) => {
      if (isClosed) throw new Error('the journal is closed');
      const replace = 'WITH earlier AS (DELETE FROM journal) INSERT INTO journal VALUES ($1, $2)';
      await write(replace, JSON.stringify([...snapshot]));
      snapshotAt = last;
    },
    needsCompaction: () => last - snapshotAt > manyRows,
    close: async () => {
      isClosed = true;
      await queue;
    },
  };
}
