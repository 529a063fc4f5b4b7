import { expect, test } from '@jest/globals';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { type LoadScene, startLoadScene } from '../../../rgs/load/scene';
import { withRedis } from '../../../servers/redis/client';
import { type RedisSentinel, startRedisSentinel } from '../../../servers/redis/sentinel';
import { cleanupAfterEach } from '../../../support/each-test';

/** How often the master is paused; `PAUSES=50` makes a long run of it. */
const PAUSES = Number(process.env['PAUSES'] ?? 10);
const CALLS_BETWEEN = 200;

const cleanup = cleanupAfterEach();

async function startSentinel(): Promise<[RedisSentinel, string]> {
  const started = await startRedisSentinel({ replicas: 2 });
  const sentinel = cleanup.after(started);
  const hosts = sentinel.sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
  return [sentinel, `redis+sentinel://${hosts}/${sentinel.name}`];
}

async function open(options: RedisStoreOptions): Promise<AccountStore> {
  const store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  return store;
}

async function play(store: AccountStore): Promise<LoadScene> {
  const scene = await startLoadScene(store, { deadlineMs: 1_000 });
  return cleanup.after(scene);
}

/**
 * Freezes the master until another was promoted and has processed calls, and thaws it: it takes itself
 * for the master still, and what it acknowledged from now on would be lost when it becomes a replica. The
 * replicas are in step before, for what they have not got is lost with a master that no write waited for: a
 * master sends a new replica nothing until that says that it is in step, which it does once a second.
 */
async function replaceMaster(sentinel: RedisSentinel, scene: LoadScene): Promise<void> {
  const previous = await sentinel.masterPort();
  const former = sentinel.servers.find(({ port }) => port === previous);
  if (former === undefined) throw new Error('the master is not one of the servers');
  await sentinel.replicated();
  await former.pause();
  const promoted = await sentinel.nextMaster(previous);
  await scene.processed(CALLS_BETWEEN);
  await former.resume();
  await scene.processed(CALLS_BETWEEN);
  // Sentinel does the same, ten seconds later.
  await withRedis(former, (admin) => admin.replicaof('127.0.0.1', promoted));
}

/**
 * Without replicas to wait for, a command waits for its answer for longer than a failover takes: the
 * silence of the former master is not what ends the connection to it.
 */
const ways: readonly [number, number][] = [
  [0, 60_000],
  [1, 10_000],
];

test.each(ways)(
  'nothing acknowledged is lost while masters are paused and replaced, and service returns (waitReplicas %d)',
  async (waitReplicas, commandTimeoutMs) => {
    const [sentinel, url] = await startSentinel();
    const store = await open({ url, decimals: 2, waitReplicas, commandTimeoutMs });
    const scene = await play(store);
    for (let pause = 1; pause <= PAUSES; pause += 1) await replaceMaster(sentinel, scene);
    expect(await scene.finish()).toEqual([]);
    scene.tell(`${PAUSES} pauses of the master, waitReplicas ${waitReplicas}`);
  },
);
