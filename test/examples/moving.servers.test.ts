import { appendFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { beforeEach, expect, test } from '@jest/globals';

import { createOperatorHandler } from '../../lib/operator/http/handler';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import { createRequestSigner, type SignedRequest } from '../../lib/proof';
import { blockOf } from '../docs/blocks';
import { runProgram, type Running, startProgram } from '../docs/process';
import { userFolder, writeProgram } from '../docs/program';
import { until } from '../servers/until';
import { ROOT } from '../tidy/source';
import { cleanupAfterEach } from '../support/each-test';

const page = 'docs/moving.md';
const [operatorId, secret] = ['my-casino', 'at-least-16-bytes-of-secret'];
const signer = createRequestSigner({ operatorId, secret });
const cleanup = cleanupAfterEach();

/** A wallet of the kit, which stands in the place of the old or of the new one. */
interface Wallet {
  readonly store: ReturnType<typeof createMemoryStore>;
  readonly url: string;
  readonly stop: () => void;
}

let old: Wallet;
let fresh: Wallet;
let folder: string;

beforeEach(async () => {
  [old, fresh] = [await startWallet({ ann: '100', bob: '50' }), await startWallet({ ann: '100' })];
  folder = await userFolder();
});

async function startWallet(balances: Readonly<Record<string, string>>): Promise<Wallet> {
  const store = createMemoryStore();
  for (const playerId of ['ann', 'bob']) {
    const player = { operatorId, playerId, currency: 'EUR' };
    await store.players.openPlayer({ ...player, balances: { real: balances[playerId] ?? '0' } });
  }
  const wallet = createOperatorHandler({ store, operators: [{ operatorId, secrets: [secret] }] });
  const server = createServer(wallet.handle).listen(0, '127.0.0.1');
  await until('the port', () => server.listening);
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  cleanup.after(server, stop);
  return { store, stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Starts the front by the command of the page, in this mode. */
async function startFront(mode: string, shadow = ''): Promise<{ front: Running; url: string }> {
  const command = blockOf(page, 'front')
    .code.replace(/OLD_URL=\S+/, `OLD_URL=${old.url}`)
    .replace(/NEW_URL=\S+/, `NEW_URL=${fresh.url}`)
    .replace('PORT=8080', 'PORT=0')
    .replace('MODE=old SHADOW=1 node', `MODE=${mode} SHADOW=${shadow} exec node`)
    .replace('front.mjs', join(ROOT, 'examples/moving/front.mjs'));
  const front = startProgram('sh', ['-c', command], { cwd: folder });
  cleanup.after(front, ({ stop }) => stop());
  const url = await until('the address', () => /^http:\S+/m.exec(front.output())?.[0]);
  return { front, url };
}

type Transaction = { readonly [field: string]: string | number | boolean };

function call(playerId: string, gameRound: string, transaction: Transaction): SignedRequest {
  const round = { playerId, gameCode: 'bells', gameRound, transactionCount: 1 };
  return signer.doTransactions({
    ...round,
    transactions: [{ hash: gameRound, amount: 10, currency: 'EUR', ...transaction }],
  });
}

async function send(url: string, { path, headers, body = '' }: SignedRequest): Promise<number> {
  return (await fetch(url + path, { method: 'POST', headers, body })).status;
}

/** Which wallets know the round. */
async function knownTo(playerId: string, gameRound: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, { store }] of Object.entries({ old, fresh })) {
    if ((await store.rounds.readRound({ operatorId, playerId, gameRound })) !== null)
      found.push(name);
  }
  return found;
}

const debit = { type: 'debit', isFirstDebit: true };

test('a round stays with the wallet that took its first debit, its void too, and a new one goes to the new wallet', async () => {
  const before = await startFront('old');
  expect(await send(before.url, call('ann', 'ann-1', debit))).toBe(200);
  await before.front.stop();
  const { url } = await startFront('new');
  expect(await send(url, call('ann', 'ann-1', { type: 'void' }))).toBe(200);
  expect(await send(url, call('ann', 'ann-2', debit))).toBe(200);
  expect([await knownTo('ann', 'ann-1'), await knownTo('ann', 'ann-2')]).toEqual([
    ['old'],
    ['fresh'],
  ]);
  const ann = { operatorId, playerId: 'ann' };
  expect(await old.store.rounds.accounts(ann)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
  expect(await fresh.store.rounds.accounts(ann)).toMatchObject({ accounts: [{ real: 900_000n }] });
});

test('by player, only those of the list begin their rounds at the new wallet', async () => {
  await writeFile(join(folder, 'moved-players.txt'), 'ann\n');
  const { url } = await startFront('player');
  expect(await send(url, call('ann', 'ann-1', debit))).toBe(200);
  expect(await send(url, call('bob', 'bob-1', debit))).toBe(200);
  expect([await knownTo('ann', 'ann-1'), await knownTo('bob', 'bob-1')]).toEqual([
    ['fresh'],
    ['old'],
  ]);
});

test('a line that was torn when the front died names no round, and what follows it is read', async () => {
  const file = join(folder, 'rounds-of-old.log');
  await writeFile(file, '["my-casino","ann","ann-1"]\n["my-casino","ann","an');
  await (await startFront('old')).front.stop();
  await appendFile(file, '["my-casino","ann","ann-3"]\n');
  const { url } = await startFront('new');
  for (const round of ['ann-1', 'ann-2', 'ann-3']) await send(url, call('ann', round, debit));
  expect(await knownTo('ann', 'ann-1')).toEqual(['old']);
  expect(await knownTo('ann', 'ann-2')).toEqual(['fresh']);
  expect(await knownTo('ann', 'ann-3')).toEqual(['old']);
});

test('the shadow prints what the new wallet answers differently, as the page shows it, and nothing else', async () => {
  const { front, url } = await startFront('old', '1');
  expect(await send(url, call('ann', 'ann-1', debit))).toBe(200);
  expect(await send(url, call('bob', 'bob-1', debit))).toBe(200);
  await front.writes('differences');
  await front.stop();
  expect(await knownTo('ann', 'ann-1')).toEqual(['old', 'fresh']);
  const [, ...lines] = front.output().trim().split('\n');
  const shown = JSON.parse(blockOf(page, 'difference').code) as { differences: string[] };
  expect(lines.map((line) => (JSON.parse(line) as typeof shown).differences)).toEqual([
    shown.differences,
  ]);
});

test('a call that is not signed reaches a wallet, which refuses it, and is not written to the file', async () => {
  const { url } = await startFront('old');
  const forged = { ...call('ann', 'ann-1', debit), headers: call('ann', 'ann-2', debit).headers };
  expect(await send(url, forged)).toBe(401);
  expect(await send(url, { ...forged, body: 'no JSON' })).toBe(400);
  const { url: later } = await startFront('new');
  expect(await send(later, call('ann', 'ann-1', debit))).toBe(200);
  expect(await knownTo('ann', 'ann-1')).toEqual(['fresh']);
});

test('a call for a wallet that is down is cut, and gets no 5xx of the front', async () => {
  await writeFile(join(folder, 'rounds-of-old.log'), '["my-casino","bob","bob-1"]\n');
  const { url } = await startFront('new');
  fresh.stop();
  await expect(send(url, call('ann', 'ann-1', debit))).rejects.toThrow('fetch failed');
  expect(await send(url, call('bob', 'bob-1', debit))).toBe(200);
});

test.each([
  ['copy', '1010.5\n'],
  ['late', '1010.5\n17.75\n'],
])('the block %s of docs/moving.md prints what it says', async (name, output) => {
  const path = await writeProgram(folder, blockOf(page, name));
  expect(await runProgram(process.execPath, [path], { cwd: folder })).toBe(output);
});
