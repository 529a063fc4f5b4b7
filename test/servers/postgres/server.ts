import { randomBytes } from 'node:crypto';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';

import { onFormerPort, onFreePort } from '../ports';
import { findPostgres } from './binary';
import { type PostgresProcess, spawnPostgres } from './process';
import { accountFolder } from '../server-account';
import { copyRunning } from './copy';
import { createData } from './template';

/** PostgreSQL settings by name, as in postgresql.conf. */
export type PostgresSettings = Readonly<Record<string, string>>;

/** What to start. */
export interface PostgresServerOptions {
  /** Lines of postgresql.conf over the defaults, e.g. `{ max_connections: '20', deadlock_timeout: '100ms' }`. */
  readonly settings?: PostgresSettings;
  /** Follow this server as a hot standby, from a copy of its data. */
  readonly standbyOf?: Pick<PostgresServer, 'port' | 'url' | 'dir'>;
  /** Where its data folder is made, e.g. on a disk of mountDisk. */
  readonly below?: string;
  /** The bin folder of another server than the one that findPostgres finds. */
  readonly bin?: string;
}

/** A private PostgreSQL on 127.0.0.1, with a data folder of its own. */
export interface PostgresServer {
  readonly port: number;
  /** The database `postgres` as its superuser, without a password. */
  readonly url: string;
  readonly dir: string;
  /** The id of the current postmaster; it changes with every restart. */
  readonly pid: number;
  isRunning(): boolean;
  /** Ends the postmaster and all its children at once, as a power cut would; what was written stays on disk. */
  kill9(): Promise<void>;
  /** Starts it again on the same port over the same data, first killing it if it still runs. */
  restart(): Promise<void>;
  /** Freezes every process of it: connections stay open, and nothing is answered until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** Creates an empty database under a name of its own, and resolves to its url. */
  createDatabase(): Promise<string>;
}

const DURABLE: PostgresSettings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
};

const SMALL: PostgresSettings = {
  shared_buffers: '32MB',
  max_connections: '100',
  max_wal_size: '1GB', // as everywhere; initdb makes it small where segments are
  jit: 'off',
  dynamic_shared_memory_type: 'mmap', // in the data folder, so that a killed server leaves nothing in /dev/shm
};

/** Starts a PostgreSQL that loses no acknowledged commit, and resolves once it serves queries. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const bin = options.bin ?? (await findPostgres());
  const dir = await accountFolder('postgres', options.below);
  const data = join(dir, 'data');
  const settings: Record<string, string> = { ...DURABLE, ...SMALL, ...options.settings };
  const { standbyOf } = options;
  if (standbyOf === undefined) await createData(bin, data);
  else {
    await copyRunning(standbyOf, data);
    await writeFile(join(data, 'standby.signal'), '');
    settings['primary_conninfo'] = `host=127.0.0.1 port=${standbyOf.port} user=postgres`;
  }
  const { port, first } = await onFreePort(async (free) => {
    await configure(dir, { ...settings, ...listen(dir, free) });
    return { port: free, first: await spawnPostgres(bin, data, free) };
  });
  let current: PostgresProcess = first;
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

  return {
    port,
    url: urlOf('postgres'),
    dir,
    get pid() {
      return current.pid;
    },
    isRunning: () => current.isRunning(),
    kill9: () => current.kill9(),
    async restart() {
      await current.kill9();
      current = await onFormerPort(() => spawnPostgres(bin, data, port));
    },
    pause: () => current.pause(),
    resume: () => current.resume(),
    async stop() {
      await current.end();
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await execute(urlOf('postgres'), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
  };
}

function listen(dir: string, port: number): PostgresSettings {
  const socket = join(dir, `.s.PGSQL.${port}`);
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socket.length < 100 ? dir : '', // a socket's path has to fit into 103 bytes
  };
}

async function configure(dir: string, settings: PostgresSettings): Promise<void> {
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  await appendFile(join(dir, 'data/postgresql.conf'), `\n${lines.join('')}`); // of two lines the later counts
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
