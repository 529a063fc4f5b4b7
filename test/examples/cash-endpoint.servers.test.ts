import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { createRedisStore } from '../../lib/operator/stores/redis';
import { Cleanup } from '../servers/cleanup';
import { reapWithThisProcess } from '../servers/reaper';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { blockOf } from '../docs/blocks';
import { runProgram } from '../docs/process';
import { withReplaced } from '../docs/program';
import { built } from '../support/built';
import { patience } from '../support/patience';

const TOKEN = 'a-token-of-the-cashier-in-this-test';
const cleanup = new Cleanup();
let redis: RedisServer;
let url: string;

beforeAll(async () => {
  built();
  redis = cleanup.after(await startRedis());
  const store = createRedisStore({ ...patience, init: true, url: redis.url });
  const player = { operatorId: 'casino', playerId: 'ann', currency: 'EUR' };
  await store.players.openPlayer({ ...player, balances: { real: '0' } });
  await store.close();
  const child = spawn(process.execPath, [join(__dirname, '../../examples/cash-endpoint.mjs')], {
    env: { OPERATOR_ID: 'casino', CASH_TOKEN: TOKEN, REDIS_URL: redis.url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  cleanup.after(child, () => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString('utf8');
  });
  url = await until('the address', () => /^http:\S+/.exec(output)?.[0]);
});

afterAll(() => cleanup.run());

async function send(path: string, body: unknown, token = TOKEN): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  return [answer.status, text.startsWith('{') ? JSON.parse(text) : text];
}

const order = { currency: 'EUR', amount: '25.00', reference: 'psp-1' };

test('the cash endpoint deposits and withdraws, once per reference', async () => {
  const done = [200, { balance: '25', replay: false }];
  expect(await send('/players/ann/deposit', order)).toEqual(done);
  const again = [200, { balance: '25', replay: true }];
  expect(await send('/players/ann/deposit', order)).toEqual(again);
  const out = { ...order, amount: '10.50', reference: 'payout-1' };
  const rest = [200, { balance: '14.5', replay: false }];
  expect(await send('/players/ann/withdraw', out)).toEqual(rest);
});

test('the order that docs/operators.md sends is answered as the page says, and again as a replay', async () => {
  const command = withReplaced(blockOf('docs/operators.md', 'cash-http').code, {
    'http://127.0.0.1:8090': url,
    '/players/ann/': '/players/eve/',
  });
  const shown = JSON.parse(blockOf('docs/operators.md', 'cash-reply').code) as object;
  const store = createRedisStore({ ...patience, url: redis.url });
  const player = { operatorId: 'casino', playerId: 'eve', currency: 'EUR' };
  await store.players.openPlayer({ ...player, balances: { real: '0' } });
  await store.close();
  for (const replay of [false, true]) {
    const printed = await runProgram('sh', ['-c', command], { env: { CASH_TOKEN: TOKEN } });
    expect(JSON.parse(printed)).toEqual({ ...shown, replay });
  }
});

test.each<[string, object]>([
  ['amount', { amount: '1e3' }],
  ['amount', { amount: '10,00' }],
  ['amount', { amount: '-1' }],
  ['amount', { amount: '0' }],
  ['amount', { amount: 25 }],
  ['amount', { amount: undefined }],
  ['amount', { amount: { units: '1' } }],
  ['currency', { currency: 'euro' }],
  ['reference', { reference: 'a#b' }],
])('the cash endpoint answers a wrong %s with 400 and names it: %j', async (field, wrong) => {
  const [status, answer] = await send('/players/ann/deposit', { ...order, ...wrong });
  expect([status, answer]).toEqual([
    400,
    { code: 'INVALIDINPUT', field, message: expect.any(String) },
  ]);
});

test('the cash endpoint says why an order was refused, and serves its cashier alone', async () => {
  const much = { ...order, amount: '1000', reference: 'payout-2' };
  expect(await send('/players/ann/withdraw', much)).toEqual([409, { code: 'tooLow' }]);
  expect(await send('/players/nobody/deposit', order)).toEqual([409, { code: 'noPlayer' }]);
  expect((await send('/players/ann/constructor', order))[0]).toBe(404);
  expect(await send('/players/ann/deposit', order, 'wrong')).toEqual([401, 'Unauthorized']);
});

test('the cash endpoint answers 503 when the store is silent: the same order may be sent again', async () => {
  await redis.stop();
  const more = { ...order, reference: 'psp-2' };
  expect(await send('/players/ann/deposit', more)).toEqual([503, { code: 'unknown' }]);
});
