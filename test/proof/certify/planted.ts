import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import {
  type CertificationOptions,
  type CertificationResult,
  certify,
} from '../../../lib/proof/certify';
import { reapWithThisProcess, temporaryFolder } from '../../servers/reaper';
import { createWallet, OPERATORS } from './wallets/plain-wallet.cjs';

type Run = Partial<CertificationOptions>;

/** A wallet that forgets with time forgets by a clock that goes so much faster than ours. */
const haste = 40;

const PROGRAM = join(__dirname, 'wallets/plain-wallet.cjs');

/**
 * Certifies the plain wallet with these mistakes, behind a server of this process.
 * @param run What differs from the usual run, or how that follows from it.
 */
export async function certifyPlanted(
  plants: readonly string[],
  run: Run | ((usual: CertificationOptions) => Run) = {},
): Promise<CertificationResult> {
  const start = Date.now();
  const memoryNow = (): number => start + (Date.now() - start) * haste;
  const wallet = createWallet({ plants: new Set(plants), memoryNow });
  const server = createServer(wallet.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const usual = optionsFor(`http://127.0.0.1:${port}`);
    return await certify({ ...usual, ...(typeof run === 'function' ? run(usual) : run) });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

/** The same with the wallet as a process over a file, which the run may kill and start again. */
export async function certifyPlantedProcess(
  plants: readonly string[],
  run: Run = {},
): Promise<CertificationResult> {
  const file = join(await temporaryFolder('plain-wallet'), 'calls');
  const start = (port: string) => startProcess(plants, file, port);
  let { child, url } = await start('0');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const again = async (): Promise<void> => {
    ({ child, url } = await start(new URL(url).port));
  };
  const memoryBytes = async (): Promise<number> => {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(child.pid)]);
    return Number(stdout) * 1024;
  };
  try {
    return await certify({ ...optionsFor(url), kill, start: again, memoryBytes, ...run });
  } finally {
    await kill();
  }
}

function optionsFor(url: string): CertificationOptions {
  const [first, second] = OPERATORS;
  const credentials = (of: typeof first) => {
    return { operatorId: of?.id ?? '', secret: of?.secrets[0] ?? '' };
  };
  return {
    urls: [url],
    operator: credentials(first),
    otherSecret: first?.secrets[1] ?? '',
    secondOperator: credentials(second),
    playerIds: ['p1', 'p2'],
    currency: 'EUR',
    useBalance: true,
    timeoutMs: 20_000,
    block: () => setBlocked(url, true),
    unblock: () => setBlocked(url, false),
    long: { seed: 1, histories: 5, kills: 3 },
  };
}

/** Blocks the first player in the wallet's back office, or lifts the block. */
async function setBlocked(url: string, isBlocked: boolean): Promise<void> {
  const body = JSON.stringify(['p1', isBlocked]);
  const { status } = await fetch(`${url}/block`, { method: 'POST', body });
  if (status !== 200) throw new Error(`the block was answered ${status}`);
}

async function startProcess(
  plants: readonly string[],
  file: string,
  port: string,
): Promise<{ child: ChildProcess; url: string }> {
  const planted = plants.flatMap((name) => ['--plant', name]);
  const child = spawn(process.execPath, [PROGRAM, '--port', port, '--file', file, ...planted], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}
