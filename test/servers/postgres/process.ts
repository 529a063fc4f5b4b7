import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';

import { PortTakenError } from '../ports';
import { childrenOf, signalAll, stillThere } from '../process-table';
import { reapToo, reapWithThisProcess } from '../reaper';
import { runAsAccount, serverAccount } from '../server-account';
import { until } from '../until';

const SHUTDOWN_TIMEOUT_MS = 5_000;

/** A running server: the postmaster and its children. */
export interface PostgresProcess {
  /** The postmaster's id. */
  readonly pid: number;
  /** True until the postmaster has exited. */
  isRunning(): boolean;
  /** Kills the whole family at once, as a power cut would, and resolves once all of it is gone. */
  kill9(): Promise<void>;
  /** Freezes the whole family. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it by an immediate shutdown, which leaves no shared memory behind. */
  end(): Promise<void>;
}

/** Starts `postgres` over `data`, whose postgresql.conf names the port, and resolves once it serves queries. */
export async function spawnPostgres(
  bin: string,
  data: string,
  port: number,
): Promise<PostgresProcess> {
  const logFile = `${data}.log`;
  await rm(logFile, { force: true }); // or this failure would be read as the one before
  const log = openSync(logFile, 'a');
  const child = spawn(join(bin, 'postgres'), ['-D', data], {
    ...serverAccount(),
    cwd: data,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', log, log],
    detached: true, // Ctrl-C is for the test process, whose end the reaper sees
  });
  closeSync(log);
  reapWithThisProcess(child);
  child.unref(); // a test that failed before it could stop its server must not keep the runner alive
  await whenReady(child, { data, port, logFile });
  return new Family(child, data);
}

class Family implements PostgresProcess {
  readonly #child: ChildProcess;
  readonly #data: string;
  #paused: { readonly pids: readonly number[]; readonly undoReap: () => void } | undefined;

  constructor(child: ChildProcess, data: string) {
    this.#child = child;
    this.#data = data;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  isRunning(): boolean {
    return !hasExited(this.#child);
  }

  async kill9(): Promise<void> {
    if (!this.isRunning()) return;
    const pids = await this.#freeze();
    await this.#whenGone(pids, () => signalAll(pids, 'SIGKILL'));
    await forgetRun(this.#data);
  }

  async pause(): Promise<void> {
    if (!this.isRunning() || this.#paused) return;
    const pids = await this.#freeze();
    // Killing the postmaster alone would leave its stopped children stopped for ever.
    this.#paused = { pids, undoReap: reapToo(pids.filter((pid) => pid !== this.pid)) };
    signalAll(pids, 'SIGSTOP');
    await until('PostgreSQL to stand still', () =>
      stillThere(pids).every(({ state }) => state === 'stopped'),
    );
  }

  async resume(): Promise<void> {
    const paused = this.#paused;
    if (!paused) return;
    this.#paused = undefined;
    paused.undoReap();
    signalAll(paused.pids, 'SIGCONT');
  }

  async end(): Promise<void> {
    if (!this.isRunning()) return;
    await this.resume();
    const pids = [this.pid, ...childrenOf(this.pid)];
    try {
      await this.#whenGone(pids, () => signalAll([this.pid], 'SIGQUIT'), SHUTDOWN_TIMEOUT_MS);
    } catch {
      await this.kill9();
    }
  }

  /**
   * Stops the postmaster, so that it neither forks nor tends to its children, and returns the ids of the
   * family.
   */
  async #freeze(): Promise<number[]> {
    signalAll([this.pid], 'SIGSTOP');
    await until('the postmaster to stand still', () =>
      stillThere([this.pid]).every(({ state }) => state === 'stopped'),
    );
    return [this.pid, ...childrenOf(this.pid)];
  }

  async #whenGone(pids: readonly number[], end: () => void, timeoutMs = 15_000): Promise<void> {
    this.#child.ref();
    const exit = once(this.#child, 'exit');
    end();
    await until('the end of PostgreSQL', () => stillThere(pids).length === 0, { timeoutMs });
    await exit;
    this.#paused?.undoReap();
    this.#paused = undefined;
  }
}

interface Expected {
  readonly data: string;
  readonly port: number;
  readonly logFile: string;
}

async function whenReady(child: ChildProcess, expected: Expected): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  await until(
    `PostgreSQL on port ${expected.port}`,
    async () => failure !== undefined || hasExited(child) || (await serves(expected)),
  );
  if (failure) throw failure;
  if (!hasExited(child)) return;
  const log = await readFile(expected.logFile, 'utf8');
  if (/Address already in use/.test(log)) {
    throw new PortTakenError(`port ${expected.port} is taken`);
  }
  throw new Error(`PostgreSQL did not start:\n${log.slice(-2_000)}`);
}

/** True once the server on the port serves queries, and is ours: another may have won a race for the port. */
async function serves({ data, port }: Expected): Promise<boolean> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined); // the query rejects anyway
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === data;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Removes what a killed server leaves outside its data: a lock on the data folder that names a process id, which another
 * process may be given, and a segment of System V shared memory, of which a machine has a limited number.
 */
async function forgetRun(data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const segment = /^\s*\d+\s+(\d+)\s*$/m.exec((await readFile(lock, 'utf8')).split('\n')[6] ?? '');
  if (segment?.[1]) await runAsAccount('ipcrm', ['-m', segment[1]]).catch(() => undefined);
  await rm(lock);
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
