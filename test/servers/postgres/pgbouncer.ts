import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';

import { findPgbouncer } from './pgbouncer-binary';
import { PortTakenError, onFormerPort, onFreePort } from '../ports';
import type { PostgresServer } from './server';
import { reapWithThisProcess } from '../reaper';
import { accountFolder, serverAccount } from '../server-account';
import { until } from '../until';

/** How to pool. */
export interface PgbouncerOptions {
  /** When a client gives its connection to the server back; `transaction` is the default here, as most installations have it. */
  readonly poolMode?: 'session' | 'transaction' | 'statement';
  /** Lines of pgbouncer.ini over the defaults, e.g. `{ default_pool_size: '2' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A private PgBouncer on 127.0.0.1 before a PostgreSQL. */
export interface Pgbouncer {
  readonly port: number;
  /** The database `postgres` through the pool, without a password. */
  readonly url: string;
  /** The id of the current process; it changes with every restart. */
  readonly pid: number;
  /** The url through the pool for a database of the server, such as one of `createDatabase`. */
  through(databaseUrl: string): string;
  isRunning(): boolean;
  /** Ends it at once, which breaks off every client. */
  kill9(): Promise<void>;
  /** Ends it as a deployment does: transactions that have begun may end first. */
  shutDown(): Promise<void>;
  /** Starts it again on the same port, first killing it if it still runs. */
  restart(): Promise<void>;
  /** Freezes it: connections stay open, and nothing is passed on until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it at once, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a PgBouncer before the server, and resolves once it takes connections. */
export async function startPgbouncer(
  server: Pick<PostgresServer, 'port' | 'url'>,
  options: PgbouncerOptions = {},
): Promise<Pgbouncer> {
  const binary = await findPgbouncer();
  const dir = await accountFolder('pgbouncer');
  const { port, first } = await onFreePort(async (free) => {
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: String(free),
      unix_socket_dir: '',
      auth_type: 'any', // whoever connects is `postgres` at the server
      admin_users: 'postgres',
      max_client_conn: '500',
      pool_mode: options.poolMode ?? 'transaction',
      ...options.settings,
    };
    await writeFile(join(dir, 'pgbouncer.ini'), configFile(server.port, settings));
    return { port: free, first: await spawnPgbouncer(binary, dir, free) };
  });
  let child = first;
  const through = (databaseUrl: string): string => {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
  return {
    port,
    url: through(server.url),
    get pid() {
      return child.pid ?? 0;
    },
    through,
    isRunning: () => !hasExited(child),
    kill9: () => end(child, 'SIGKILL'),
    shutDown: () => end(child, 'SIGINT'),
    async restart() {
      await end(child, 'SIGKILL');
      child = await onFormerPort(() => spawnPgbouncer(binary, dir, port));
    },
    async pause() {
      child.kill('SIGSTOP');
    },
    async resume() {
      child.kill('SIGCONT');
    },
    async stop() {
      await end(child, 'SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function configFile(serverPort: number, settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = `* = host=127.0.0.1 port=${serverPort} user=postgres`;
  return ['[databases]', databases, '[pgbouncer]', ...lines, ''].join('\n');
}

async function spawnPgbouncer(binary: string, dir: string, port: number): Promise<ChildProcess> {
  const logFile = join(dir, 'pgbouncer.log');
  await rm(logFile, { force: true }); // or this failure would be read as the one before
  const log = openSync(logFile, 'a');
  const child = spawn(binary, [join(dir, 'pgbouncer.ini')], {
    ...serverAccount(),
    cwd: dir,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  reapWithThisProcess(child);
  child.unref(); // a test that failed before it could stop its server must not keep the runner alive
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  await until(
    `PgBouncer on port ${port}`,
    async () => failure !== undefined || hasExited(child) || (await serves(port)),
  );
  if (failure) throw failure;
  if (!hasExited(child)) return child;
  const text = await readFile(logFile, 'utf8');
  if (/Address already in use/i.test(text)) throw new PortTakenError(`port ${port} is taken`);
  throw new Error(`PgBouncer did not start:\n${text.slice(-2_000)}`);
}

/** True once its console can be reached, whether or not the server behind it is up. */
async function serves(port: number): Promise<boolean> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'pgbouncer',
    password: '',
    ssl: false,
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined); // the query rejects anyway
  try {
    await client.connect();
    await client.query('SHOW VERSION');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasExited(child)) return;
  child.ref();
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
