import { createPostgresStore } from '../../../../lib/operator/stores/postgres';
import { startTcpProxy } from '../../../network/tcp-proxy';
import { mountDisk } from '../../../servers/bounded-disk';
import type { Cleanup } from '../../../servers/cleanup';
import { startPgbouncer } from '../../../servers/postgres/pgbouncer';
import { startReplicatedPostgres } from '../../../servers/postgres/replicated';
import { startPostgres } from '../../../servers/postgres/server';
import { patience } from '../../../support/patience';
import { lineFaults } from '../faults/line';
import { postgresDiskFaults } from '../faults/postgres';
import { poolerFaults } from '../faults/pooler';
import { serverFaults } from '../faults/server';
import { standbyFaults } from '../faults/standby';
import { postgresRestores, standbyLosses } from '../losses/postgres';
import { decimals, type Field } from './field';

/** One PostgreSQL, on a disk of its own. */
export async function startPostgresField(cleanup: Cleanup): Promise<Field> {
  const disk = cleanup.after(await mountDisk(), (mounted) => mounted.remove());
  const started = await startPostgres({ below: disk.folder });
  const server = cleanup.after(started);
  const target = { host: '127.0.0.1', port: server.port };
  const line = cleanup.after(await startTcpProxy(target));
  const url = await server.createDatabase();
  return {
    storeFlags: ['--store', through(url, line.port)],
    address: url,
    server,
    faults: {
      ...serverFaults('server', server),
      ...lineFaults(line),
      ...postgresDiskFaults(server, disk),
    },
    losses: postgresRestores(server, url),
    openStore: () => createPostgresStore({ ...patience, url, decimals, init: true }),
  };
}

/** A PgBouncer in transaction mode before a PostgreSQL, with fewer sessions than clients, set as docs/operations/postgres.md has it. */
export async function startPgbouncerField(cleanup: Cleanup): Promise<Field> {
  const server = cleanup.after(await startPostgres());
  const settings = { default_pool_size: '5', server_login_retry: '1' };
  const pooler = cleanup.after(await startPgbouncer(server, { settings }));
  const target = { host: '127.0.0.1', port: pooler.port };
  const line = cleanup.after(await startTcpProxy(target));
  const url = await server.createDatabase();
  return {
    storeFlags: ['--store', through(url, line.port), '--no-session-timeouts'],
    address: url,
    server,
    faults: {
      ...serverFaults('server', server),
      ...poolerFaults(pooler),
      ...lineFaults(line),
    },
    openStore: () => createPostgresStore({ ...patience, url, decimals, init: true }),
  };
}

/** A primary and its synchronous standby; the wallet reaches whichever is the primary at one address. */
export async function startStandbyField(cleanup: Cleanup): Promise<Field> {
  const pair = cleanup.after(await startReplicatedPostgres());
  const target = {
    host: '127.0.0.1',
    get port() {
      return pair.primary.port;
    },
  };
  const line = cleanup.after(await startTcpProxy(target));
  const name = new URL(await pair.primary.createDatabase()).pathname.slice(1);
  const urlOf = (): string => `postgres://postgres@127.0.0.1:${pair.primary.port}/${name}`;
  const server = {
    kill9: () => pair.primary.kill9(),
    restart: () => pair.primary.restart(),
    pause: () => pair.primary.pause(),
    resume: () => pair.primary.resume(),
  };
  return {
    storeFlags: ['--store', through(urlOf(), line.port)],
    get address() {
      return urlOf();
    },
    server,
    faults: {
      ...serverFaults('server', server),
      ...standbyFaults(pair, line),
      ...lineFaults(line),
    },
    losses: standbyLosses(pair, line),
    openStore: () => createPostgresStore({ ...patience, url: urlOf(), decimals, init: true }),
  };
}

function through(url: string, port: number): string {
  const there = new URL(url);
  there.port = String(port);
  return there.href;
}
