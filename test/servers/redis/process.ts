import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';

import { PortTakenError } from '../ports';
import { reapWithThisProcess } from '../reaper';
import { findRedisServer } from './binary';
import { until } from '../until';

/** Where a server is asked whether it is ready. */
export interface Endpoint {
  readonly port: number;
  readonly password?: string | undefined;
  readonly tls?: boolean | undefined;
}

/** A running redis-server process. */
export interface RedisProcess {
  readonly pid: number;
  /** True until the process has exited. */
  isRunning(): boolean;
  /** Sends the signal and, if the signal ends the process, resolves once it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts redis-server with the given command line in `folder` and resolves once it answers PING. */
export async function spawnRedis(
  args: readonly string[],
  folder: string,
  endpoint: Endpoint,
  chosen?: string,
): Promise<RedisProcess> {
  const binary = chosen ?? (await findRedisServer());
  const logFile = join(folder, 'redis.log');
  const log = openSync(logFile, 'a');
  const child = spawn(binary, args, { cwd: folder, stdio: ['ignore', log, log] });
  closeSync(log);
  reapWithThisProcess(child);
  child.unref(); // a test that failed before it could stop its server must not keep the runner alive
  await whenReady(child, endpoint, logFile);
  return {
    pid: child.pid ?? 0,
    isRunning: () => !hasExited(child),
    kill: (signal) => kill(child, signal),
  };
}

async function whenReady(child: ChildProcess, endpoint: Endpoint, logFile: string): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  await until(
    `redis-server on port ${endpoint.port}`,
    async () => failure !== undefined || hasExited(child) || (await answersPing(endpoint)),
  );
  if (failure) throw failure;
  if (!hasExited(child)) return;
  const log = await readFile(logFile, 'utf8');
  if (/Address already in use/.test(log))
    throw new PortTakenError(`port ${endpoint.port} is taken`);
  throw new Error(`redis-server did not start:\n${log.slice(-2_000)}`);
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasExited(child)) return;
  if (signal === 'SIGSTOP' || signal === 'SIGCONT') {
    child.kill(signal);
    return;
  }
  child.ref();
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** True once the server serves commands: neither loading its data nor refusing connections. */
function answersPing({ port, password, tls }: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const target = { host: '127.0.0.1', port };
    const socket: Socket = tls
      ? connectTls({ ...target, rejectUnauthorized: false })
      : connect(target);
    let reply = '';
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('data', (bytes) => {
      reply += bytes.toString('latin1');
      if (reply.includes('+PONG')) finish(true);
      else if (/^-(?!ERR)/m.test(reply)) finish(false);
    });
    if (password) socket.write(`AUTH ${password}\r\n`);
    socket.write('PING\r\n');
  });
}
