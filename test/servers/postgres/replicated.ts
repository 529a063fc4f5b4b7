import { Client } from 'pg';

import { until } from '../until';
import { type PostgresServer, startPostgres } from './server';

/** Whoever follows confirms. */
const synchronous = { synchronous_standby_names: '*' };

/** A primary with one synchronous standby, which confirms each commit before it is acknowledged. */
export interface ReplicatedPostgres {
  /** The server that takes writes now; it changes with every failover. */
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Resolves once commits are confirmed. */
  inStep(): Promise<void>;
  /** Promotes the standby in the place of a primary that was killed. */
  promote(): Promise<void>;
  /** Removes the former primary, and starts a new standby of the present one. */
  replaceStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both, and resolves once commits are confirmed. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  let primary = await startPostgres();
  let standby: PostgresServer;
  try {
    standby = await startPostgres({ standbyOf: primary, settings: synchronous });
  } catch (error) {
    await primary.stop();
    throw error;
  }
  const pair: ReplicatedPostgres = {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    async inStep() {
      await until('the standby to confirm', async () => {
        const sql =
          "SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
        return (await ask(primary, sql)) === 1;
      });
    },
    async promote() {
      await ask(standby, 'SELECT pg_promote(true, 600)');
      [primary, standby] = [standby, primary];
    },
    async replaceStandby() {
      await standby.stop();
      standby = await startPostgres({ standbyOf: primary, settings: synchronous });
    },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
  // Before there was a standby, nothing could have been written.
  await ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await ask(primary, 'SELECT pg_reload_conf()');
  await pair.inStep();
  return pair;
}

/** How many rows the answer has. */
async function ask({ url }: PostgresServer, sql: string): Promise<number | null> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // the query rejects anyway
  await client.connect();
  try {
    return (await client.query(sql)).rowCount;
  } finally {
    await client.end();
  }
}
