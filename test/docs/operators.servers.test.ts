import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';
import { createRequestSigner, type SignedRequest } from '../../lib/proof';
import { MAIN } from '../cli/cli';
import { freePort } from '../servers/ports';
import { startPostgres } from '../servers/postgres/server';
import { startRedis } from '../servers/redis/server';
import { RgsService } from '../rgs/load/service';
import { ROOT } from '../tidy/source';
import { blockOf } from './blocks';
import { runProgram, type Running, startProgram } from './process';
import { type Replacements, userFolder, withReplaced, writeProgram } from './program';
import { cleanupAfterEach } from '../support/each-test';

const page = 'docs/operators.md';
const commandLine = 'docs/command-line.md';
const REDIS = 'redis://127.0.0.1:6379';
const POSTGRES = 'postgres://wallet@127.0.0.1:5432/casino';
const SECRET = 'at-least-16-bytes-of-secret';
const OPERATOR = { OPERATOR_ID: 'my-casino', OPERATOR_SECRET: SECRET };
const cleanup = cleanupAfterEach();
let folder: string;

beforeEach(async () => {
  folder = await userFolder();
});

/** The commands of a block of shell, `rgs-wallet` by what was built, without `npm install` and what is remarked. */
function commandsOf(name: string, replacements: Replacements = {}): string[] {
  const { code } = blockOf(commandLine, name);
  return withReplaced(code, replacements)
    .replaceAll(/ +#.*$/gm, '')
    .replaceAll(/(?:npm install \w+ && )?npx (?=rgs-wallet)/g, '')
    .replaceAll(/^rgs-wallet/gm, `${process.execPath} ${MAIN}`)
    .trim()
    .split('\n');
}

/** Runs commands of the shell to their end. */
function shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return runProgram('sh', ['-c', command], { cwd: folder, env });
}

async function started(running: Running, where: string): Promise<void> {
  cleanup.after(running, ({ stop }) => stop());
  await running.answers(`http://127.0.0.1:${where}`);
}

test('the operations page of docs/operators.md is shown to its staff alone', async () => {
  const port = String(await freePort());
  const path = await writeProgram(folder, blockOf(page, 'operations'), { 8081: port });
  const where = `${port}/ops/`;
  await started(startProgram(process.execPath, [path], { cwd: folder }), where);
  const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await fetch(`http://127.0.0.1:${where}`, { headers })).status;
  expect(await statusOf({})).toBe(403);
  expect(await statusOf({ authorization: 'Bearer key-of-maria' })).toBe(200);
});

test.each([
  ['cash', 'EUR 15 true\n'],
  [
    'corrections',
    'EUR 15 true\ncorrection -25000n maria\nwithdrawal -100000n undefined\ndeposit 250000n undefined\nopening 0n undefined\n',
  ],
  ['rounds', ''],
  ['currencies', 'EUR 105000, JPY 15000000, BTC 25\n'],
  ['exclusion', '200 90\n400 Your account is closed for play.\n200 100\n200 90\n'],
])('the block %s prints what it says', async (name, output) => {
  const path = await writeProgram(folder, blockOf(page, name));
  expect(await runProgram(process.execPath, [path], { cwd: folder })).toBe(output);
});

test('the hooks of docs/operators.md refuse a session, offer a discount and allow it, and hear of each call', async () => {
  const port = String(await freePort());
  const path = await writeProgram(folder, blockOf(page, 'hooks'), { 8080: port });
  await started(startProgram(process.execPath, [path], { cwd: folder }), `${port}/served`);
  const signer = createRequestSigner({ operatorId: 'my-casino', secret: SECRET });
  const send = async (signed: SignedRequest): Promise<unknown> => {
    const { method, headers, body } = signed;
    const sent = body === undefined ? {} : { body };
    const address = `http://127.0.0.1:${port}/wallet${signed.path}`;
    const reply = await fetch(address, { method, headers, ...sent });
    return [reply.status, await reply.json()];
  };
  const asked = { playerId: 'ann', currency: 'EUR', gameCode: 'bells' };
  const balances = [{ amount: 100, currency: 'EUR', type: 'real' }];
  const offered = expect.objectContaining({ campaignId: 'spring' });
  const known = { ...asked, externalSessionId: 'session-1' };
  expect(await send(signer.getBalance(known))).toEqual([200, { balances, discountInfo: offered }]);
  const other = { ...asked, externalSessionId: 'session-2' };
  expect(await send(signer.getBalance(other))).toMatchObject([400, { errorCode: { id: 1 } }]);
  const call = (gameRound: string, discountAmount: number): SignedRequest => {
    const round = { playerId: 'ann', gameCode: 'bells', gameRound, transactionCount: 1 };
    const debit = { type: 'debit', hash: gameRound, amount: 10, discountAmount, currency: 'EUR' };
    return signer.doTransactions({ ...round, transactions: [debit] });
  };
  expect(await send(call('r-1', 3))).toMatchObject([200, { balances: [{ amount: 93 }] }]);
  expect(await send(call('r-2', 9))).toMatchObject([400, { errorCode: { id: 33 } }]);
  const served = await fetch(`http://127.0.0.1:${port}/served`);
  expect(await served.json()).toEqual(['r-1: 200', 'r-2: 400']);
});

test('every command of docs/command-line.md runs', async () => {
  const redis = cleanup.after(await startRedis());
  const postgres = cleanup.after(await startPostgres());
  const service = cleanup.after(
    await RgsService.start({ operatorId: 'my-casino', secret: SECRET }),
  );
  service.replies.getStats = '{"records":[]}';
  const at = { [REDIS]: redis.url, [POSTGRES]: await postgres.createDatabase() };
  const commands = commandsOf('commands', at);
  const round = { playerId: 'ann', gameCode: 'bells', gameRound: 'r-1', transactionCount: 1 };
  const call = { ...round, transactions: [{ type: 'end', hash: 'e-1' }] };
  await writeFile(join(folder, 'call.json'), JSON.stringify(call));
  const [ledger, ...others] = commands.toSorted(
    (one, other) => Number(other.includes(' serve ')) - Number(one.includes(' serve ')),
  );
  expect(others).toHaveLength(14);
  for (const command of others) await shell(command, { ...OPERATOR, RGS_URL: service.url });
  expect(service.requests).toMatchObject([{ isAuthentic: true }]);
  await serveLedger(ledger ?? '');
});

/** Runs the command that serves with ledger.mjs of the page, over the balance service of the examples. */
async function serveLedger(command: string): Promise<void> {
  const [balances, port] = [await freePort(), await freePort()];
  const env = { PORT: String(balances), FILE: join(folder, 'balances.log') };
  const script = join(ROOT, 'examples/ledger-http/balance-service.mjs');
  const service = startProgram(process.execPath, [script], { cwd: folder, env });
  await started(service, `${balances}/balances`);
  const player = { key: 'open', operatorId: 'my-casino', playerId: 'ann', currency: 'EUR' };
  const body = JSON.stringify({ ...player, real: '1000000' });
  await fetch(`http://127.0.0.1:${balances}/open`, { method: 'POST', body });
  await writeFile(join(folder, 'ledger.mjs'), blockOf(commandLine, 'ledger').code);
  const running = startProgram('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { ...OPERATOR, PORT: String(port), BALANCES_URL: `http://127.0.0.1:${balances}` },
  });
  await started(running, `${port}/healthz`);
  const signer = createRequestSigner({ operatorId: 'my-casino', secret: SECRET });
  const names = { playerId: 'ann', gameCode: 'bells', gameRound: 'r-1', transactionCount: 1 };
  const transactions = [{ type: 'debit', hash: 'r-1', amount: 10, currency: 'EUR' }];
  const { path, headers, body: call = '' } = signer.doTransactions({ ...names, transactions });
  const address = `http://127.0.0.1:${port}${path}`;
  const answer = await fetch(address, { method: 'POST', headers, body: call });
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('"amount":90'),
  ]);
}

test('the suites run as the page calls them, under jest', async () => {
  const code = await writeProgram(folder, blockOf(page, 'prove'), { '2000': '2' });
  await mkdir(join(folder, 'tests'));
  const jest = join(ROOT, 'node_modules/.bin/jest');
  const config = {
    rootDir: folder,
    testMatch: [code],
    testEnvironment: 'node',
    transform: {
      '\\.mjs$': [join(ROOT, 'node_modules/@swc/jest'), { module: { type: 'commonjs' } }],
    },
    moduleFileExtensions: ['mjs', 'js', 'json'],
    testTimeout: 600_000,
  };
  const args = ['--config', JSON.stringify(config), '--runInBand', '--silent'];
  expect(await runProgram(jest, args, { cwd: folder })).toMatch(/Tests: +\d+ passed, \d+ total/);
});
