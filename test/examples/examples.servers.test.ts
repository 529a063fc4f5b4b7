import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, test } from '@jest/globals';

import { createRedisStore } from '../../lib/operator/stores/redis';
import { createRequestSigner } from '../../lib/proof';
import { reapWithThisProcess } from '../servers/reaper';
import { startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { built } from '../support/built';
import { patience } from '../support/patience';

const ROOT = join(__dirname, '../..');
const [OPERATOR_ID, OPERATOR_SECRET] = ['casino', 'a-secret-of-the-examples'];

function example(name: string): string {
  return join(ROOT, 'examples', name);
}

beforeAll(() => void built());

test('deposit-and-round pays in once, plays a round, and ends by itself', async () => {
  const run = promisify(execFile)(process.execPath, [example('deposit-and-round.mjs')]);
  const { stdout, stderr } = await run;
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    'deposit of 25.00, new: balance 25',
    'deposit of 25.00, sent again: balance 25',
    'debit: 200, balance 22.5',
    'credit and end: 200, balance 30.25',
    'the round is closed',
    '',
  ]);
});

test('express-redis has at most 25 lines', () => {
  const lines = readFileSync(example('express-redis.mjs'), 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
});

test('express-redis takes calls under /wallet, leaves the app as it was, and ends with SIGTERM', async () => {
  const redis = await startRedis();
  const store = createRedisStore({ ...patience, init: true, url: redis.url });
  const player = { operatorId: OPERATOR_ID, playerId: 'ann', currency: 'EUR' };
  await store.players.openPlayer({ ...player, balances: { real: '100' } });
  const child = spawn(process.execPath, [example('express-redis.mjs')], {
    env: { OPERATOR_ID, OPERATOR_SECRET, REDIS_URL: redis.url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString('utf8');
  });
  const url = await until('the address', () => /^http:\S+/.exec(output)?.[0]);

  const signer = createRequestSigner({ operatorId: OPERATOR_ID, secret: OPERATOR_SECRET });
  const {
    path,
    headers,
    body = '',
  } = signer.doTransactions({
    playerId: 'ann',
    gameCode: 'bells',
    gameRound: 'r-1',
    transactionCount: 1,
    transactions: [{ type: 'debit', hash: 'r-1', amount: 10, currency: 'EUR' }],
  });
  const answer = await fetch(`${url}/wallet${path}`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 900_000n }] });
  const echo = await fetch(`${url}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await echo.json()).toEqual({ a: 1 });

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await store.close();
  await redis.stop();
});
