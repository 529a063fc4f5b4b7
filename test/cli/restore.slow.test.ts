import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from '@jest/globals';

import type { SignedRequest } from '../../lib/proof';
import { blocksOf } from '../docs/blocks';
import { findPostgres } from '../servers/postgres/binary';
import { startPostgres } from '../servers/postgres/server';
import { temporaryFolder } from '../servers/reaper';
import { startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import {
  debitCall,
  MAIN,
  OPERATOR,
  type Service,
  signer,
  startService,
  temporaryFile,
} from './cli';
import { cleanupAfterEach } from '../support/each-test';

const run = promisify(execFile);
const cleanup = cleanupAfterEach();

/** A block of the runbook, as it stands. */
function blockOf(name: string): string {
  const block = blocksOf('docs/operations/backup.md').find((one) => one.name === name);
  if (block === undefined) throw new Error(`no block ${name}`);
  return block.code;
}

/** Runs lines of a shell as a person at its prompt does; each must succeed. */
async function shell(text: string, cwd: string, env: Record<string, string>): Promise<string> {
  const tools = realpathSync(join(await findPostgres(), 'postgres'));
  const script = `set -e\nrgs-wallet() { "${process.execPath}" "${MAIN}" "$@"; }\n${text}`;
  const path = `${dirname(tools)}:${process.env['PATH'] ?? ''}`;
  const { stdout } = await run('bash', ['-c', script], { cwd, env: { ...env, PATH: path } });
  return stdout;
}

async function serve(...args: readonly string[]): Promise<Service> {
  const ann = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100' } }];
  const players = await temporaryFile('players.json', ann);
  const service = await startService(['--players', players, ...args]);
  return cleanup.after(service);
}

async function balanceOf(service: Service): Promise<string> {
  const { text } = await service.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
  return /"amount":([\d.]+)/.exec(text)?.[1] ?? text;
}

/** A signed call of one transaction. */
function callOf(
  gameRound: string,
  transaction: Readonly<Record<string, string | number>>,
): SignedRequest {
  const transactions = [transaction];
  const names = { playerId: 'ann', gameCode: 'bells', gameRound };
  return signer.doTransactions({ ...names, transactionCount: 1, transactions });
}

/** A round that the backup has, and after it one that is lost: stake 10 and win 25. */
async function playLost(service: Service): Promise<void> {
  expect(await service.call(debitCall('ann', 'r-2'))).toMatchObject({ status: 200 });
  const win = { type: 'credit', hash: 'w-2', amount: 25, currency: 'EUR' };
  expect(await service.call(callOf('r-2', win))).toMatchObject({ status: 200 });
  expect(await balanceOf(service)).toBe('105');
}

/** The balance of the backup, what the RGS is answered, and what the runbook pays. */
async function afterwards(
  start: readonly string[],
  folder: string,
  env: Record<string, string>,
): Promise<void> {
  const service = await serve(...start);
  expect(await balanceOf(service)).toBe('90');
  const late = { type: 'credit', hash: 'w-3', amount: 5, currency: 'EUR' };
  const refused = await service.call(callOf('r-2', late));
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.text).toContain('"id":15');
  const voided = { type: 'void', hash: 'r-2', amount: 10, currency: 'EUR' };
  expect(await service.call(callOf('r-2', voided))).toMatchObject({ status: 200 });
  for (let times = 0; times < 2; times += 1) await shell(blockOf('restore-pay'), folder, env);
  expect(await balanceOf(service)).toBe('105');
}

async function isRefused(service: Service): Promise<void> {
  const status = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;
  await until('the process to refuse', async () => {
    await service.call(debitCall('ann', 'r-9'));
    return service.output().includes('server check failed') && (await status()) === 503;
  });
}

test('the runbook makes a dump of PostgreSQL and restores it', async () => {
  const server = cleanup.after(await startPostgres());
  const folder = await temporaryFolder('restore');
  const url = new URL(server.url);
  url.pathname = '/casino';
  const env = { ...OPERATOR, WALLET_STORE: url.href, ADMIN: server.url };
  await shell(`psql "$ADMIN" --command 'CREATE DATABASE casino'`, folder, env);
  const service = await serve('--store', url.href, '--init');
  expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
  await shell(blockOf('backup-postgres'), folder, env);
  await playLost(service);
  const printed = await shell(blockOf('restore-postgres'), folder, env);
  expect(printed).toContain('Nothing to do: the schema is at');
  await isRefused(service);
  await service.stop();
  await afterwards(['--store', url.href], folder, env);
});

test('the runbook copies the append-only folder of Redis and restores it', async () => {
  const server = cleanup.after(await startRedis());
  const folder = await temporaryFolder('restore');
  const env = { ...OPERATOR, WALLET_STORE: server.url, DATA: server.dir };
  const service = await serve('--store', server.url, '--init');
  expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
  await shell(blockOf('backup-redis'), folder, env);
  await playLost(service);
  await server.kill9();
  await shell(blockOf('restore-redis'), folder, env);
  await server.restart();
  await isRefused(service);
  await service.stop();
  await shell('rgs-wallet books --check', folder, env);
  await afterwards(['--store', server.url], folder, env);
});
