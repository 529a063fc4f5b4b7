import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { webhookHeaders } from '../../lib/cli/events/deliver';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { FullStore, RoundEvent } from '../../lib/operator/wallet';
import { openingOf, take } from '../../lib/proof/contracts/changes';
import { runCli } from '../cli/cli';
import { reapWithThisProcess, temporaryFolder } from '../servers/reaper';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { patience } from '../support/patience';
import { openQuietly } from '../support/open-quietly';
import { cleanupAfterEach } from '../support/each-test';

const EXAMPLE = join(__dirname, '../../examples/webhook-receiver.mjs');
const key = Buffer.alloc(32, 9);
const secret = `whsec_${key.toString('base64')}`;
const cleanup = cleanupAfterEach();
let redis: RedisServer;
let store: FullStore;
let file: string;
let secretFile: string;
let rounds = 0;

beforeAll(async () => {
  redis = await startRedis();
  store = createRedisStore({ ...patience, init: true, url: redis.url, events: ['bridge'] });
  await store.ready();
  const ann = { operatorId: 'op', playerId: 'ann', currency: 'EUR' };
  await openQuietly(store, { ...ann, balances: { real: '100' } });
});

afterAll(async () => {
  await store.close();
  await redis.stop();
});

beforeEach(async () => {
  const folder = await temporaryFolder('webhook');
  [file, secretFile] = [join(folder, 'events.jsonl'), join(folder, 'secret')];
  await writeFile(secretFile, secret);
});

/** A round of one debit, and the id of its event. */
async function play(): Promise<string> {
  const round = { operatorId: 'op', playerId: 'ann', gameRound: `r-${rounds++}` };
  const committed = await store.rounds.commit(round, openingOf([take('d', 1n)]));
  expect(committed).toMatchObject({ kind: 'committed' });
  return `op/ann/${round.gameRound}/1`;
}

async function startReceiver(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [EXAMPLE], {
    env: { WEBHOOK_SECRET: secret, EVENTS_FILE: file, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  reapWithThisProcess(child);
  cleanup.after(child, (one) => void one.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes.toString('utf8');
  });
  return { url: await until('the address', () => /^http:\S+/.exec(output)?.[0]), child };
}

async function deliver(url: string): Promise<void> {
  const where = ['--store', redis.url, '--operator', 'op', '--consumer', 'bridge'];
  const how = ['--to', url, '--secret-file', secretFile, '--once'];
  expect(await runCli(['events', 'deliver', ...where, ...how])).toMatchObject({ code: 0 });
}

async function kept(): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as RoundEvent).id);
}

test('the receiver keeps each event once, also after it was killed and an event came again', async () => {
  const first = await startReceiver();
  const ids = [await play(), await play()];
  await deliver(first.url);
  expect(await kept()).toEqual(ids);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  await appendFile(file, '{"id":"cut sh');

  const second = await startReceiver();
  const again = await readFile(file, 'utf8');
  const events = again
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RoundEvent);
  const body = JSON.stringify({ data: { events } });
  const headers = new Headers();
  const at = Math.floor(Date.now() / 1000);
  const flat = webhookHeaders(key, 'again', at, body);
  for (let place = 0; place < flat.length; place += 2)
    headers.set(flat[place] ?? '', flat[place + 1] ?? '');
  expect((await fetch(second.url, { method: 'POST', headers, body })).status).toBe(204);
  ids.push(await play());
  await deliver(second.url);
  expect(await kept()).toEqual(ids);
});

test('the receiver takes nothing that is not signed with the secret, or too old', async () => {
  const { url } = await startReceiver();
  const body = JSON.stringify({ data: { events: [{ id: 'forged' }] } });
  const now = Math.floor(Date.now() / 1000);
  const forged = [
    webhookHeaders(Buffer.alloc(32, 1), 'one', now, body),
    webhookHeaders(key, 'two', now - 301, body),
    webhookHeaders(key, 'three', now, `${body} `),
    [],
  ];
  for (const flat of forged) {
    const headers = new Headers();
    for (let place = 0; place < flat.length; place += 2)
      headers.set(flat[place] ?? '', flat[place + 1] ?? '');
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
  }
  expect(await readFile(file, 'utf8')).toBe('');
});
