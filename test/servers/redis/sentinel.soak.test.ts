import { afterEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { closeClient } from './client';
import { type RedisSentinel, startRedisSentinel } from './sentinel';

let sentinel: RedisSentinel | undefined;
let client: Redis | undefined;

afterEach(async () => {
  if (client) closeClient(client);
  await sentinel?.stop();
});

test('one sentinel promotes the replica when the master is killed, and it has the data', async () => {
  sentinel = await startRedisSentinel();
  const { name, sentinels, servers } = sentinel;
  const previous = await sentinel.masterPort();
  expect(previous).toBe(servers[0].port);

  client = new Redis({ name, sentinels: [...sentinels] });
  client.on('error', () => undefined); // the master dies on purpose
  await client.set('k', 'v');
  expect(await client.wait(1, 5_000)).toBe(1);

  await sentinel.killMaster();
  expect(await sentinel.nextMaster(previous)).toBe(servers[1].port);
  expect(await client.get('k')).toBe('v');
});

test('three sentinels agree on a failover', async () => {
  sentinel = await startRedisSentinel({ sentinels: 3 });
  const previous = await sentinel.masterPort();
  await sentinel.killMaster();
  expect(await sentinel.nextMaster(previous)).not.toBe(previous);
});
