import { beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';

import {
  createRedisStore,
  type RedisClient,
  type RedisStoreOptions,
} from '../../../../lib/operator/stores/redis';
import { closeClient } from '../../../servers/redis/client';
import { type RedisSentinel, startRedisSentinel } from '../../../servers/redis/sentinel';
import { startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const noConfirmation =
  'a failover may lose acknowledged money: the master has replicas and waitReplicas is 0';
const noDetector =
  'a failover may lose acknowledged money: set failoverDetector of the Sentinel client to true';

const cleanup = cleanupAfterEach();
let sentinel: RedisSentinel;

beforeEach(async () => {
  sentinel = cleanup.after(await startRedisSentinel());
});

function addresses(): { host: string; port: number }[] {
  return [...sentinel.sentinels];
}

/** What a store warns of until it is ready, and when it is asked for that again. */
async function warningsOf(options: RedisStoreOptions): Promise<string[]> {
  const warnings: string[] = [];
  const warn = (_: object, message: string): void => void warnings.push(message);
  const logger = { info: () => undefined, warn, error: warn };
  const store = cleanup.after(createRedisStore({ ...patience, ...options, init: true, logger }));
  await store.ready();
  await store.ready();
  return warnings;
}

function sentinelUrl(): string {
  const hosts = addresses().map(({ host, port }) => `${host}:${port}`);
  return `redis+sentinel://${hosts.join(',')}/${sentinel.name}`;
}

test('a master with replicas is warned of once where no replica is waited for', async () => {
  const url = sentinelUrl();
  expect(await warningsOf({ url })).toEqual([noConfirmation]);
  expect(await warningsOf({ url, waitReplicas: 1 })).toEqual([]);
  const alone = cleanup.after(await startRedis());
  expect(await warningsOf({ url: alone.url })).toEqual([]);
});

type ClientOptions = { name?: string; failoverDetector?: boolean; port?: number };

test.each<[string, (options: ClientOptions) => RedisClient]>([
  ['ioredis 6', (options) => cleanup.after(new Redis(withSentinels(options)), closeClient)],
  [
    'ioredis 5',
    (options) => cleanup.after(new Redis5(withSentinels(options)), (opened) => opened.disconnect()),
  ],
])('a Sentinel client of %s that does not listen for failovers is warned of', async (_, make) => {
  const { name, servers } = sentinel;
  const deaf = make({ name, failoverDetector: false });
  expect(await warningsOf({ client: deaf, waitReplicas: 1 })).toEqual([noDetector]);
  const listening = make({ name, failoverDetector: true });
  expect(await warningsOf({ client: listening, waitReplicas: 1 })).toEqual([]);
  const alone = make({ port: servers[0].port });
  expect(await warningsOf({ client: alone, waitReplicas: 1 })).toEqual([]);
});

function withSentinels(options: ClientOptions) {
  return options.name === undefined ? options : { ...options, sentinels: addresses() };
}
