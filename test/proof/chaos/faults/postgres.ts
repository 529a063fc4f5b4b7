import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

import type { BoundedDisk } from '../../../servers/bounded-disk';
import type { PostgresServer } from '../../../servers/postgres/server';
import { until } from '../../../servers/until';
import type { Faults } from './fault';

const diskFull = '53100';

/** No room for a row, and none for the log: PostgreSQL refuses the one, and ends itself at the other. */
export function postgresDiskFaults(server: PostgresServer, disk: BoundedDisk): Faults {
  const full = async (ms: number, isMet: () => Promise<boolean>): Promise<void> => {
    await disk.fill();
    await until('the disk to be full', isMet);
    await delay(ms);
    await disk.free();
    // It ends for good if it finds no room when it repairs itself.
    if ((await codeOf(server, 'SELECT 1')) !== '') await server.restart();
  };
  return {
    'disk-full': ({ ms }) =>
      full(ms, async () => {
        const rows = 'CREATE TABLE chaos AS SELECT generate_series(1, 10000)';
        const code = await codeOf(server, `BEGIN; ${rows}; ROLLBACK`);
        return code === diskFull || !server.isRunning();
      }),
    'log-disk-full': ({ ms }) =>
      full(ms, async () => {
        const write = "SELECT pg_logical_emit_message(false, 'chaos', '')";
        const code = await codeOf(server, `${write}; SELECT pg_switch_wal()`);
        return code !== '' && code !== diskFull;
      }),
  };
}

/** The SQLSTATE of what went wrong, `connection` where there was no answer, or an empty text. */
async function codeOf({ url }: PostgresServer, sql: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the query rejects anyway
  try {
    await client.connect();
    await client.query(sql);
    return '';
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    return /^[0-9A-Z]{5}$/.test(code) ? code : 'connection';
  } finally {
    await client.end().catch(() => undefined);
  }
}
