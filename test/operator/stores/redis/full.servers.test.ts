import { beforeEach, expect, test } from '@jest/globals';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { FullStore } from '../../../../lib/operator/wallet';
import { end, openingOf } from '../../../../lib/proof/contracts/changes';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p' };
const rounds = 50;
/** With the opening of the account. */
const events = rounds + 1;

const cleanup = cleanupAfterEach();
let redis: RedisServer;

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
});

function open(options: RedisStoreOptions = {}): FullStore {
  const made = createRedisStore({ ...patience, url: redis.url, init: true, ...options });
  return cleanup.after(made);
}

function waiting(): Promise<number> {
  return withRedis(redis, async (admin) => {
    const [stream = ''] = await admin.keys('*:e');
    return admin.xlen(stream);
  });
}

/** A Redis without a byte to spare, in which events wait for consumers. */
async function full(...names: readonly string[]): Promise<void> {
  const store = open({ events: names });
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '1' } });
  for (let round = 1; round <= rounds; round++) {
    const key = { ...player, gameRound: `r${round}` };
    expect(await store.rounds.commit(key, openingOf([end('e')]))).toMatchObject({
      kind: 'committed',
    });
  }
  await store.close();
  await withRedis(redis, (admin) => admin.config('SET', 'maxmemory', '1'));
  const refused = open({ events: names, commandTimeoutMs: 100 });
  // On a slow machine the first tries may have no answer in time.
  await until('Redis to refuse a commit as full', async () => {
    const key = { ...player, gameRound: 'more' };
    const more = await refused.rounds.commit(key, openingOf([end('e')]));
    return more.kind === 'unknown' && more.cause.message.includes('OOM');
  });
}

test.each([
  ['of a process that names it', { events: ['bridge'] }],
  ['of a command', { serves: false }],
])('a Redis that is full of events is drained by their own consumer: %s', async (_, options) => {
  await full('bridge');
  let drained = 0;
  const batches = open(options).events.read({ consumer: 'bridge', operatorId: 'op', atMost: 20 });
  for await (const batch of batches) {
    drained += batch.events.length;
    expect(await batch.done()).toBe(true);
    if (drained === events) break;
  }
  expect(await waiting()).toBe(0);
});

test('a consumer that is gone can be forgotten while its events fill the Redis', async () => {
  await full('gone');
  expect(await open({ serves: false }).events.forgetConsumer('gone', ['op'])).toBe(true);
  expect(await waiting()).toBe(0);
});

test.each([
  [scripts.mendOpen, 'index', 0],
  [scripts.removeExpired, 'list', 1],
] as const)(
  'a full Redis removes deleted rounds from a list: %#',
  async ({ source }, key, removed) => {
    await withRedis(redis, async (admin) => {
      await admin.rpush('list', 'gone');
      await admin.config('SET', 'maxmemory', '1');
      expect(await admin.eval(source, 2, key, 'rgs:{op:1}:r:p:gone', 'gone')).toBe(removed);
    });
  },
);
