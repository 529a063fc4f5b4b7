import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

import { createRequestSigner } from '../../lib/proof';
import { createRedisStore } from '../../lib/operator/stores/redis';
import { Cleanup } from '../servers/cleanup';
import { reapWithThisProcess } from '../servers/reaper';
import { startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { built } from '../support/built';
import { patience } from '../support/patience';
import { stopServer } from '../network/listening';

const [OPERATOR_ID, OPERATOR_SECRET] = ['casino', 'a-secret-of-the-examples'];
const cleanup = new Cleanup();
const register = new (class {
  readonly barred = new Set<string>();
  readonly sockets = new Set<unknown>();
  /** How it answers: truly, truly but late, with 503, not at all, half, or with a text in place of true and false. */
  mood: 'up' | 'slow' | 'down' | 'silent' | 'half' | 'odd' = 'up';
  asked = 0;
  readonly server: Server = createServer((request, response) => {
    this.asked += 1;
    this.sockets.add(request.socket);
    const player = decodeURIComponent((request.url ?? '').replace('/players/', ''));
    const barred: boolean | string = this.mood === 'odd' ? 'false' : this.barred.has(player);
    if (this.mood === 'silent') return;
    response.writeHead(this.mood === 'down' ? 503 : 200, { 'content-type': 'application/json' });
    const text = JSON.stringify({ barred });
    if (this.mood === 'half') return void response.write(text.slice(0, 5));
    setTimeout(() => response.end(text), this.mood === 'slow' ? 600 : 0);
  });
})();
let url: string;
let rounds = 0;

beforeAll(async () => {
  built();
  const redis = cleanup.after(await startRedis());
  const store = createRedisStore({ ...patience, init: true, url: redis.url });
  for (const playerId of ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']) {
    const player = { operatorId: OPERATOR_ID, playerId, currency: 'EUR' };
    await store.players.openPlayer({ ...player, balances: { real: '100' } });
  }
  await store.close();
  await once(register.server.listen(0, '127.0.0.1'), 'listening');
  cleanup.after(register.server, stopServer);
  const { port } = register.server.address() as AddressInfo;
  const child = spawn(process.execPath, [join(__dirname, '../../examples/register-check.mjs')], {
    env: {
      OPERATOR_ID,
      OPERATOR_SECRET,
      REDIS_URL: redis.url,
      REGISTER_URL: `http://127.0.0.1:${port}`,
      // The most that deadlineMs allows: a machine may stall.
      REGISTER_MS: '2500',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  cleanup.after(child, () => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString('utf8')));
  url = await until('the address', () => /^http:\S+/.exec(output)?.[0]);
});

afterEach(() => {
  register.mood = 'up';
});

afterAll(() => cleanup.run());

interface Reply {
  readonly hashesProcessed: readonly { readonly errorCode?: { readonly id: number } }[];
  readonly errorCode?: { readonly id: number; readonly clientmsg: string };
}

/** Stakes 10 of a player in a round of its own, or sends such a call again; status, error id and text for the player. */
async function stake(playerId: string, gameRound = `r-${++rounds}`) {
  const signer = createRequestSigner({ operatorId: OPERATOR_ID, secret: OPERATOR_SECRET });
  const {
    path,
    headers,
    body = '',
  } = signer.doTransactions({
    playerId,
    gameCode: 'bells',
    gameRound,
    transactionCount: 1,
    transactions: [{ type: 'debit', hash: gameRound, amount: 10, currency: 'EUR' }],
  });
  const answer = await fetch(`${url}/wallet${path}`, { method: 'POST', headers, body });
  const { errorCode } = (await answer.json()) as Reply;
  return [answer.status, errorCode?.id ?? null, errorCode?.clientmsg ?? null] as const;
}

const accepted = [200, null, null];
const failed = [400, 9008, expect.any(String)];

test('a player who is not barred plays, and is not asked for again within the time that the answer counts', async () => {
  const before = register.asked;
  expect([await stake('ann'), await stake('ann')]).toEqual([accepted, accepted]);
  expect(register.asked - before).toBe(1);
});

test('a barred player is refused with the words of the platform, and a stake of before is answered as it was', async () => {
  expect(await stake('bob', 'bob-1')).toEqual(accepted);
  register.barred.add('cid');
  const refused = [400, 9006, 'You have excluded yourself from play.'];
  expect(await stake('cid', 'cid-1')).toEqual(refused);
  register.barred.delete('cid');
  register.barred.add('bob');
  expect([(await stake('cid', 'cid-1')).slice(0, 2), await stake('bob', 'bob-1')]).toEqual([
    [400, 9006],
    accepted,
  ]);
});

test('a slow register is waited for', async () => {
  register.mood = 'slow';
  expect(await stake('fay')).toEqual(accepted);
});

test.each(['down', 'silent', 'half', 'odd'] as const)(
  'while the register is %s a stake is declined for good, and once it is up another one is taken',
  async (mood) => {
    register.mood = mood;
    expect(await stake('dan')).toEqual(failed);
    register.mood = 'up';
    expect(await stake('eve')).toEqual(accepted);
  },
);

test('its connections are kept alive', () => {
  expect(register.sockets.size).toBeLessThan(register.asked);
});
