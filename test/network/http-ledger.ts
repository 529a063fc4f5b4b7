import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createHttpLedger } from '../../examples/ledger-http/ledger';
import { createHttpPlayers } from '../../examples/ledger-http/players';
import type { ContractLedger } from '../../lib/proof';
import { freePort } from '../servers/ports';
import { reapWithThisProcess, temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';

const SERVICE = join(__dirname, '../../examples/ledger-http/balance-service.mjs');

/** The balance service of the example in a process of its own, and the ledger over it. */
export interface HttpLedger extends ContractLedger {
  readonly url: string;
  /** Ends the service at once, as a crash would. */
  kill9(): Promise<void>;
  /** Starts it again on the same port over the same file, first killing it if it still runs. */
  restart(): Promise<void>;
  /** Ends it and removes its file. */
  close(): Promise<void>;
}

/** Starts the service, and resolves once it answers. */
export async function startHttpLedger(): Promise<HttpLedger> {
  const folder = await temporaryFolder('balances');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, FILE: join(folder, 'balances.log'), PORT: String(port) };
  let child = await spawnService(env);
  const kill9 = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url,
    ledger: createHttpLedger(url),
    players: createHttpPlayers(url),
    kill9,
    async restart() {
      await kill9();
      child = await spawnService(env);
    },
    async close() {
      await kill9();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function spawnService(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SERVICE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  reapWithThisProcess(child);
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString('utf8');
  });
  await until('the balance service', () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return output.includes('http://');
  });
  return child;
}
