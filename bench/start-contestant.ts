import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/ports';
import { reapWithThisProcess, temporaryFolder } from '../test/support/reaper';
import type { Contestant } from './contestants/contestant';
import { operatorId, secret } from './terms';

/** A contestant that answers. */
export interface RunningContestant {
  readonly port: number;
  readonly pid: number;
  /** Kills it: what it has answered must be safe in the server. */
  kill9(): Promise<void>;
  /** Kills it if it still runs, whatever became of its turn. */
  abandon(): void;
}

const register = join(__dirname, 'register.cjs');
const production = { ...process.env, NODE_ENV: 'production' };
const startsWithinMs = 20_000;

/** Runs a file of the bench in a process of its own, which ends with this one. */
export function forkTypeScript(file: string, args: readonly string[]): ChildProcess {
  const child = fork(join(__dirname, file), args, {
    execArgv: ['--require', register],
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
): Promise<RunningContestant> {
  if (typeof start !== 'function') return startProgram(start.command, url);
  const child = forkTypeScript('contestants/process.ts', [letter, url]);
  const [port] = (await orExit(child, once(child, 'message'))) as [number];
  return running(child, port);
}

async function startProgram(
  command: (url: string, port: number) => readonly string[],
  url: string,
): Promise<RunningContestant> {
  const port = await freePort();
  const env = { ...production, OPERATOR_ID: operatorId, OPERATOR_SECRET: secret };
  const log = await open(join(await temporaryFolder('contestant'), 'stdout.log'), 'a');
  const child = spawn(process.execPath, command(url, port), {
    env,
    stdio: ['ignore', log.fd, 'inherit'],
  });
  reapWithThisProcess(child);
  await log.close();
  await orExit(child, untilReady(`http://127.0.0.1:${port}/readyz`));
  return running(child, port);
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
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`a contestant ended with ${String(code)}`);
  });
  return Promise.race([work, exit]);
}

function running(child: ChildProcess, port: number): RunningContestant {
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
    abandon: () => void child.kill('SIGKILL'),
  };
}
