import { expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { startClusterReplica } from '../../../servers/redis/cluster-replica';
import { type LoadScene, startLoadScene } from '../../../rgs/load/scene';
import { closeClient, withRedis } from '../../../servers/redis/client';
import { type RedisCluster, startRedisCluster } from '../../../servers/redis/cluster';
import { type RedisSentinel, startRedisSentinel } from '../../../servers/redis/sentinel';
import type { RedisServer } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { cleanupAfterEach } from '../../../support/each-test';

/** How often a master dies for good under load; `FAILOVERS=50` makes a long run of it. */
const FAILOVERS = Number(process.env['FAILOVERS'] ?? 1);
const confirmed = { decimals: 2, waitReplicas: 1, commandTimeoutMs: 400 } as const;

const cleanup = cleanupAfterEach();

async function open(options: RedisStoreOptions): Promise<AccountStore> {
  const store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  return store;
}

async function play(store: AccountStore): Promise<LoadScene> {
  const scene = await startLoadScene(store, { deadlineMs: 1_000 });
  return cleanup.after(scene);
}

async function startSentinel(): Promise<[RedisSentinel, string]> {
  const sentinel = cleanup.after(await startRedisSentinel());
  const hosts = sentinel.sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
  return [sentinel, `redis+sentinel://${hosts}/${sentinel.name}`];
}

test.each([
  ['the store makes the client', (url: string) => ({ url })],
  [
    'the client has ioredis defaults',
    (_: string, { name, sentinels }: RedisSentinel) => {
      const client = new Redis({ name, sentinels: [...sentinels] });
      client.on('error', () => undefined); // the master dies on purpose
      return { client: cleanup.after(client, closeClient) };
    },
  ],
])('what a replica has confirmed outlives the master, where %s', async (_, connection) => {
  const [sentinel, url] = await startSentinel();
  const store = await open({ ...connection(url, sentinel), ...confirmed });
  const scene = await play(store);
  for (let failover = 1; failover <= FAILOVERS; failover += 1) {
    await scene.processed(300);
    const previous = await sentinel.masterPort();
    await sentinel.killMaster();
    const port = await sentinel.nextMaster(previous);
    await scene.outlastsDeadline(); // the new master has no replica that could confirm anything
    const former = sentinel.servers.find((server) => server.port === previous);
    if (former === undefined) throw new Error('the former master is not known');
    await former.restart();
    await withRedis(former, (admin) => admin.replicaof('127.0.0.1', port)); // Sentinel takes longer
    await scene.processed(300);
  }
  expect(await scene.finish()).toEqual([]);
  scene.tell(`${FAILOVERS} failovers by Sentinel, waitReplicas 1`);
});

test('a write that fewer replicas have than were asked for is not acknowledged', async () => {
  const [{ servers }, url] = await startSentinel();
  const [, replica] = servers;
  const store = await open({ url, ...confirmed });
  const player = { operatorId: 'op', playerId: 'p', currency: 'EUR', balances: { real: '1' } };
  await until('the script to be known', async () => {
    const { kind } = await store.players.openPlayer({ ...player, playerId: 'earlier' });
    return kind !== 'unknown';
  });
  await replica.pause();
  expect(await store.players.openPlayer(player)).toMatchObject({
    kind: 'unknown',
    cause: { message: expect.stringMatching(/fewer replicas than waitReplicas/) },
  });
  await replica.resume();
  await until('the replica to confirm', async () => {
    const { kind } = await store.players.openPlayer(player);
    return kind === 'existed'; // it was done nevertheless, and is reported now
  });
});

test('while no replica confirms calls go unanswered, and nothing is lost or doubled', async () => {
  const [{ servers }, url] = await startSentinel();
  const [, replica] = servers;
  const store = await open({ url, ...confirmed });
  const scene = await play(store);
  await scene.processed(100);
  await replica.pause();
  await scene.outlastsDeadline();
  await replica.resume();
  await scene.processed(100);
  expect(await scene.finish()).toEqual([]);
});

test('a master promoted by Sentinel is not used before it passes the server check', async () => {
  const [sentinel, url] = await startSentinel();
  const [, replica] = sentinel.servers;
  const store = await open({ url, decimals: 2 });
  await sentinel.replicated();
  await withRedis(replica, (admin) => admin.config('SET', 'appendfsync', 'everysec'));
  const previous = await sentinel.masterPort();
  await sentinel.killMaster();
  await sentinel.nextMaster(previous);
  await until('the store to meet the new master', async () => {
    const result = await store.rounds.accounts({ operatorId: 'op', playerId: 'p' });
    return result.kind === 'unknown' && result.cause instanceof StoreUnsafeError;
  });
  await withRedis(replica, (admin) => admin.config('SET', 'appendfsync', 'always'));
  await store.ready();
});

async function startReplicatedCluster(): Promise<[RedisCluster, RedisServer[], string]> {
  const config = { 'repl-diskless-sync-delay': 0 };
  const cluster = cleanup.after(await startRedisCluster({ config }));
  const replicas = await Promise.all(
    cluster.nodes.map(async (master) => cleanup.after(await startClusterReplica(cluster, master))),
  );
  const hosts = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`).join(',');
  return [cluster, replicas, `redis+cluster://${hosts}`];
}

/** The index of the master that has a player's keys. */
async function masterOf(cluster: RedisCluster, playerId: string): Promise<[number, number]> {
  const slot = await cluster.slotOf(new Keys('rgs').account({ operatorId: 'op', playerId }));
  return [slot, await cluster.nodeOfSlot(slot)];
}

test('in a cluster what a replica has confirmed outlives its master, and follows its slot', async () => {
  const [cluster, replicas, url] = await startReplicatedCluster();
  const store = await open({ url, ...confirmed });
  const scene = await play(store);
  await scene.processed(200);

  const [slot, from] = await masterOf(cluster, 'player 1');
  await cluster.moveSlot(slot, from, (from + 1) % 3);
  await scene.processed(200);

  const [, index] = await masterOf(cluster, 'player 2');
  const [master, replica] = [cluster.nodes[index], replicas[index]];
  await master?.kill9();
  await until('the replica to be promoted', () => isMaster(replica));
  await scene.outlastsDeadline();
  await master?.restart();
  await scene.processed(200);
  expect(await scene.finish()).toEqual([]);
  scene.tell('a failover in a cluster, waitReplicas 1');
});

test('a replica of a cluster that was promoted is found out where it is not safe', async () => {
  const [cluster, replicas, url] = await startReplicatedCluster();
  const store = await open({ url, decimals: 2 });
  const [, index] = await masterOf(cluster, 'p');
  const [master, replica] = [cluster.nodes[index], replicas[index]];
  if (replica === undefined) throw new Error('there is no replica');
  await withRedis(replica, (admin) => admin.config('SET', 'appendfsync', 'everysec'));
  await master?.kill9();
  await until('the store to find it out', async () => {
    const result = await store.rounds.accounts({ operatorId: 'op', playerId: 'p' });
    return result.kind === 'unknown' && result.cause instanceof StoreUnsafeError;
  });
});

async function isMaster(server: RedisServer | undefined): Promise<boolean> {
  if (server === undefined) return false;
  const info = await withRedis(server, (admin) => admin.info('replication'));
  return info.includes('role:master');
}
