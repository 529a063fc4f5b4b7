import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/servers/ports';
import { reapWithThisProcess, temporaryFolder } from '../test/servers/reaper';
import type { Contestant, Program } from './contestants/contestant';
import type { ProcessMemory } from './measurement';
import { operatorId, secret } from './terms';

/** A contestant that answers. */
export interface RunningContestant {
  readonly port: number;
  readonly pid: number;
  /** Kills it: what it has answered must be safe in the server. */
  kill9(): Promise<void>;
  /** What it has of memory, now. */
  memory(): Promise<ProcessMemory>;
  /** Kills it if it still runs, whatever became of its turn, and forgets what it wrote. */
  abandon(): Promise<void>;
}

/** How a contestant is started. */
export interface StartOptions {
  /** Lets it collect garbage when its memory is read. */
  readonly mayCollect?: boolean;
}

const register = join(__dirname, 'register.cjs');
const production = { ...process.env, NODE_ENV: 'production' };
const startsWithinMs = 60_000;

/** Runs a file of the bench in a process of its own, which ends with this one. */
export function forkTypeScript(
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): ChildProcess {
  const child = fork(join(__dirname, file), args, {
    execArgv: ['--require', register, ...flags],
    env: production,
  });
  reapWithThisProcess(child);
  return child;
}

/** Starts a contestant over the server at the url, and resolves once it answers. */
export async function startContestant(
  letter: string,
  { start }: Contestant,
  url: string,
  { mayCollect = false }: StartOptions = {},
): Promise<RunningContestant> {
  if (typeof start !== 'function') return startProgram(start, url);
  const flags = mayCollect ? ['--expose-gc'] : [];
  const child = forkTypeScript('contestants/process.ts', [letter, url], flags);
  const [port] = (await orExit(child, once(child, 'message'))) as [number];
  return running(child, port);
}

/** Starts a program over the server at the url, and resolves once it is ready. */
export async function startProgram(
  { command, env: own }: Program,
  url: string,
): Promise<RunningContestant> {
  const port = await freePort();
  const env = { ...production, ...(own ?? { OPERATOR_ID: operatorId, OPERATOR_SECRET: secret }) };
  const folder = await temporaryFolder('contestant');
  const log = await open(join(folder, 'stdout.log'), 'a'); // as an operator has it
  const child = spawn(process.execPath, command(url, port), {
    env,
    stdio: ['ignore', log.fd, 'inherit'],
  });
  reapWithThisProcess(child);
  await log.close();
  try {
    await orExit(child, untilReady(`http://127.0.0.1:${port}/readyz`));
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return running(child, port, folder);
}

async function untilReady(url: string): Promise<void> {
  for (const endAt = Date.now() + startsWithinMs; Date.now() < endAt; await pause(50)) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error('a contestant is not ready in time');
}

function orExit<T>(child: ChildProcess, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const exit = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`a contestant ended with ${String(code)}`);
  });
  return Promise.race([work, exit]).finally(() => over.abort());
}

/** As the system sees a program. @throws Error where there is no /proc. */
function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  if (kibibytes === undefined) throw new Error('the memory of a program cannot be read');
  return Number(kibibytes) * 1024;
}

function running(child: ChildProcess, port: number, folder?: string): RunningContestant {
  return {
    port,
    pid: child.pid ?? 0,
    async kill9() {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error('a contestant ended while it was measured');
      }
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
    async memory() {
      if (!child.connected) return { rss: residentBytes(child.pid ?? 0), heap: null };
      child.send('memory');
      const [memory] = (await orExit(child, once(child, 'message'))) as [ProcessMemory];
      return memory;
    },
    async abandon() {
      child.kill('SIGKILL');
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
