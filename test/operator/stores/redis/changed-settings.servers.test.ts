import { beforeEach, expect, test } from '@jest/globals';

import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { watchIntervalMs } from '../../../../lib/operator/stores/redis/connection/gate';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { LateTimer } from '../../../proof/faults/late-timer';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { startTcpProxy } from '../../../network/tcp-proxy';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const durability =
  'appendonly must be yes and appendfsync always: otherwise a crash loses money that was acknowledged.';
const eviction =
  'maxmemory-policy must be noeviction: otherwise a full server forgets hashes and pays wins again.';

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let watch: LateTimer;
let told: string[];

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
  watch = new LateTimer(systemClock, watchIntervalMs);
  told = [];
});

function tell(fields: object): void {
  const { reason, danger } = fields as Record<string, unknown>;
  told.push(String(reason ?? danger));
}

async function open(options: RedisStoreOptions = {}): Promise<AccountStore> {
  const logger = { info: () => undefined, warn: tell, error: tell };
  const made = createRedisStore({
    ...patience,
    url: redis.url,
    init: true,
    logger,
    clock: watch.clock,
    ...options,
  });
  const store = cleanup.after(made);
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '1' } });
  return store;
}

async function set(name: string, value: string): Promise<void> {
  await withRedis(redis, (admin) => admin.config('SET', name, value));
}

test('the servers are looked at every 30 seconds', () => {
  expect(watchIntervalMs).toBe(30_000);
});

test.each([
  ['appendfsync', 'everysec', 'always', durability],
  ['appendonly', 'no', 'yes', durability],
  ['maxmemory-policy', 'allkeys-lru', 'noeviction', eviction],
])(
  '%s changed to %s is noticed by the next look, and commands are refused until it is put right',
  async (name, unsafe, safe, reason) => {
    const store = await open();
    await set(name, unsafe);
    watch.fire();
    await watch.rearmed();
    expect(told).toEqual([reason]);
    expect(await store.rounds.accounts(player)).toMatchObject({
      kind: 'unknown',
      cause: { code: 'STOREUNSAFE', message: reason },
    });
    watch.fire();
    await watch.rearmed();
    expect(told).toEqual([reason]);
    await set(name, safe);
    expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'known' });
  },
);

test('a setting that became unsafe is noticed by who asks whether the store is ready', async () => {
  const store = await open();
  await set('appendfsync', 'everysec');
  await expect(store.ready()).rejects.toThrow(StoreUnsafeError);
  expect(told).toEqual([durability]);
  await set('appendfsync', 'always');
  await store.ready();
});

test('with acceptLoss a setting that became unsafe is logged once, and commands go on', async () => {
  const store = await open({ acceptLoss: true });
  expect(told).toEqual([]);
  await set('maxmemory-policy', 'allkeys-lru');
  for (let look = 0; look < 2; look += 1) {
    watch.fire();
    await watch.rearmed();
    await store.ready();
  }
  expect(told).toEqual([eviction]);
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'known' });
});

test('a look that gets no answer refuses nothing, and the next one comes', async () => {
  const proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
  const url = `redis://127.0.0.1:${proxy.port}`;
  const store = await open({ url, commandTimeoutMs: 60_000, connectTimeoutMs: 1_000 });
  const { held, release } = proxy.hold('replies');
  watch.fire();
  await held;
  await watch.rearmed();
  release();
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'known' });
  await set('appendfsync', 'everysec');
  watch.fire();
  await watch.rearmed();
  expect(told).toEqual([durability]);
});

test('a store that is closed looks no more', async () => {
  const store = await open();
  await store.close();
  expect(() => watch.fire()).toThrow('no timer waits');
});
