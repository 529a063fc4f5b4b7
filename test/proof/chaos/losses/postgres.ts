import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { Client } from 'pg';

import type { TcpProxy } from '../../../network/tcp-proxy';
import { findPostgres } from '../../../servers/postgres/binary';
import type { ReplicatedPostgres } from '../../../servers/postgres/replicated';
import type { PostgresServer } from '../../../servers/postgres/server';
import { temporaryFolder } from '../../../servers/reaper';
import { until } from '../../../servers/until';
import type { Losses } from './loss';

const run = promisify(execFile);

/** Older data put back under running wallets: the data folder, and a dump over the database that is in use. */
export function postgresRestores(server: PostgresServer, url: string): Losses {
  return {
    'older-data-folder': {
      async prepare() {
        const [data, backup] = [join(server.dir, 'data'), await temporaryFolder('backup')];
        await server.kill9();
        await run('cp', ['-Rp', data, backup]); // -p keeps the owner, also where root copies
        await server.restart();
        return async () => {
          await server.kill9();
          await rm(data, { recursive: true });
          await run('cp', ['-Rp', join(backup, 'data'), server.dir]);
          await server.restart();
        };
      },
    },
    'older-dump': {
      async prepare() {
        const tools = dirname(realpathSync(join(await findPostgres(), 'postgres')));
        const dump = join(await temporaryFolder('backup'), 'wallet.dump');
        await run(join(tools, 'pg_dump'), ['--format=custom', '--file', dump, url]);
        const how = ['--clean', '--single-transaction', '--exit-on-error', '--dbname', url, dump];
        // It waits for the locks of calls, and they for its own: a call gives up first, as a rule.
        const env = { ...process.env, PGOPTIONS: '-c deadlock_timeout=20s' };
        return async () => {
          await until('the restore', () => run(join(tools, 'pg_restore'), how, { env }));
        };
      },
    },
  };
}

/** A primary that confirms alone loses its standby, takes calls, and dies; then the standby is promoted. */
export function standbyLosses(pair: ReplicatedPostgres, line: TcpProxy): Losses {
  return {
    'failover-that-loses': {
      async prepare() {
        await pair.inStep();
        await execute(pair.primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
        await execute(pair.primary.url, 'SELECT pg_reload_conf()');
        await pair.standby.kill9();
        return async () => {
          await pair.primary.kill9();
          await pair.standby.restart();
          await pair.promote();
          line.disconnectAll();
          await pair.replaceStandby();
          await pair.inStep();
        };
      },
    },
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
