import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';

import { closeClient } from './client';
import { type MigrationStep, type RedisCluster, startRedisCluster } from './cluster';

let cluster: RedisCluster;
let client: Cluster;

beforeAll(async () => {
  cluster = await startRedisCluster();
  client = new Cluster([...cluster.startupNodes]);
});

afterAll(async () => {
  closeClient(client);
  await cluster.stop();
});

test('the slots are spread over three masters', async () => {
  const owners = await Promise.all([0, 8_000, 16_383].map((slot) => cluster.nodeOfSlot(slot)));
  expect(owners).toEqual([0, 1, 2]);
  await client.set('foo', 'bar');
  expect(await client.get('foo')).toBe('bar');
});

test('a slot moves with its keys while clients write to it', async () => {
  const slot = await cluster.slotOf('{player}');
  const from = await cluster.nodeOfSlot(slot);
  const to = (from + 1) % cluster.nodes.length;
  const keys = Array.from({ length: 20 }, (_, index) => `{player}${index}`);
  for (const key of keys) await client.set(key, '0');

  const steps: MigrationStep[] = [];
  await cluster.moveSlot(slot, from, to, {
    onStep: async (step) => {
      steps.push(step);
      for (const key of keys) await client.incr(key);
    },
  });

  expect(steps.filter(({ name }) => name === 'key')).toHaveLength(keys.length);
  expect(await cluster.nodeOfSlot(slot)).toBe(to);
  for (const key of keys) expect(await client.get(key)).toBe(String(steps.length));
});

test('a command of several keys meets TRYAGAIN while only some of its keys have moved', async () => {
  const slot = await cluster.slotOf('{half}');
  const from = await cluster.nodeOfSlot(slot);
  const to = (from + 1) % cluster.nodes.length;
  await client.mset('{half}a', '1', '{half}b', '2');
  const source = new Redis({ ...cluster.nodes[from]?.clientOptions });

  const answers: string[] = [];
  await cluster.moveSlot(slot, from, to, {
    onStep: async () => {
      answers.push(await source.mget('{half}a', '{half}b').then(String, String));
    },
  });
  closeClient(source);

  expect(answers.map((answer) => /\b(ASK|TRYAGAIN|MOVED)\b/.exec(answer)?.[1] ?? answer)).toEqual([
    '1,2',
    '1,2',
    'TRYAGAIN',
    'ASK',
    'MOVED',
  ]);
});

test('the cluster is whole again after a node was killed and restarted', async () => {
  const [node] = cluster.nodes;
  await client.set('foo', 'kept');
  await node?.kill9();
  await node?.restart();
  await cluster.whenOk();
  expect(await client.get('foo')).toBe('kept');
});
