import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createRedisStore } from '../../lib/operator/stores/redis';
import type { RoundEvent, FullStore } from '../../lib/operator/wallet';
import { openingOf, take } from '../../lib/proof/contracts/changes';
import { closeClient } from '../servers/redis/client';
import { reapWithThisProcess } from '../servers/reaper';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { built } from '../support/built';
import { patience } from '../support/patience';
import { openQuietly } from '../support/open-quietly';
import { cleanupAfterEach } from '../support/each-test';

const ROOT = join(__dirname, '../..');
/** The command of the page. */
const COMMAND = /^WALLET_STORE=.*bridge-to-queue.mjs$/m.exec(
  readFileSync(join(ROOT, 'docs/events.md'), 'utf8'),
)?.[0];
const cleanup = cleanupAfterEach();
let redis: RedisServer;
let broker: RedisServer;
let queue: Redis;
let store: FullStore;
let rounds = 0;

beforeAll(async () => {
  built();
  [redis, broker] = [await startRedis(), await startRedis()];
  queue = new Redis(broker.url);
  queue.on('error', () => undefined); // the broker is killed
  store = createRedisStore({ ...patience, init: true, url: redis.url, events: ['bridge'] });
  await store.ready();
  const ann = { operatorId: 'op', playerId: 'ann', currency: 'EUR' };
  await openQuietly(store, { ...ann, balances: { real: '100' } });
});

afterAll(async () => {
  await store.close();
  closeClient(queue);
  await redis.stop();
  await broker.stop();
});

/** A round of one debit, and the id of its event. */
async function play(): Promise<string> {
  const round = { operatorId: 'op', playerId: 'ann', gameRound: `r-${rounds++}` };
  const committed = await store.rounds.commit(round, openingOf([take('d', 1n)]));
  expect(committed).toMatchObject({ kind: 'committed' });
  return `op/ann/${round.gameRound}/1`;
}

function startBridge(): ChildProcess {
  const command = (COMMAND ?? '')
    .replace(/WALLET_STORE=\S+/, `WALLET_STORE=${redis.url}`)
    .replace(/QUEUE_URL=\S+/, `QUEUE_URL=${broker.url}`)
    .replace(/OPERATOR_ID=(\S+) node/, `OPERATOR_ID=op exec ${process.execPath}`);
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: join(ROOT, 'examples'),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  reapWithThisProcess(child);
  return cleanup.after(child, (one) => void one.kill('SIGKILL'));
}

/** The ids in the queue, in order; each message holds the whole event of its id. */
async function queued(): Promise<string[]> {
  const entries = await queue.xrange('wallet-events', '-', '+').catch(() => []);
  return entries.map(([, [, id, , player, , text = '']]) => {
    const event = JSON.parse(text) as RoundEvent;
    expect([event.id, event.playerId]).toEqual([id, player]);
    return event.id;
  });
}

/** Resolves once nothing waits for the bridge. */
async function bridged(): Promise<string[]> {
  await until('all to be in the queue', async () => {
    return (await store.events.lag('op'))[0]?.waiting === 0;
  });
  return queued();
}

test('each event is in the queue once and in order, also when the bridge or the broker was killed', async () => {
  const ids = [await play(), await play()];
  const first = startBridge();
  expect(await bridged()).toEqual(ids);
  first.kill('SIGKILL');
  await once(first, 'exit');

  // What the queue has already comes again: as after a crash before done().
  const added = await play();
  ids.push(added, await play());
  const [batch] = await readAgain();
  const event = batch?.events[0];
  expect(event?.id).toBe(added);
  await queue.set(`wallet-events:${added}`, 1);
  await queue.xadd(
    'wallet-events',
    '*',
    'id',
    added,
    'player',
    'ann',
    'event',
    JSON.stringify(event),
  );
  const second = startBridge();
  expect(await bridged()).toEqual(ids);

  await broker.kill9();
  ids.push(await play());
  let complaint = '';
  second.stderr?.on('data', (bytes: Buffer) => (complaint += bytes.toString('utf8')));
  await until('the bridge to try again', () => complaint.includes('tried again'));
  await broker.restart();
  expect(await bridged()).toEqual(ids);

  second.kill('SIGTERM');
  expect(await once(second, 'exit')).toEqual([0, null]);
});

/** What waits for the bridge, without acknowledging it. */
async function readAgain() {
  for await (const batch of store.events.read({ consumer: 'bridge', operatorId: 'op' }))
    return [batch];
  return [];
}
