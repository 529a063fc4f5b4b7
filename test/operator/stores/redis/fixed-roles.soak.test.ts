import { beforeEach, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { watchIntervalMs } from '../../../../lib/operator/stores/redis/connection/gate';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { LateTimer } from '../../../proof/faults/late-timer';
import { type RedisSentinel, startRedisSentinel } from '../../../servers/redis/sentinel';
import type { RedisServer } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };

const cleanup = cleanupAfterEach();
let watch: LateTimer;

beforeEach(() => {
  watch = new LateTimer(systemClock, watchIntervalMs);
});

function open({ name, sentinels }: RedisSentinel): AccountStore {
  const hosts = sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
  const url = `redis+sentinel://${hosts}/${name}`;
  const options = { url, init: true, waitReplicas: 1, decimals: 0, clock: watch.clock };
  return cleanup.after(createRedisStore(options));
}

/** Deposits 1 under a reference until that is acknowledged: a replica has it then. */
async function deposit(store: AccountStore, reference: string): Promise<void> {
  await until(`the deposit ${reference} to be acknowledged`, async () => {
    const { kind } = await store.players.deposit({ ...player, amount: '1', reference });
    return kind === 'done';
  });
}

/** Fails over to a replica, and returns once a deposit was acknowledged by the new master and its replica. */
async function failOver(sentinel: RedisSentinel, store: AccountStore): Promise<void> {
  const previous = await sentinel.masterPort();
  await sentinel.killMaster();
  await sentinel.nextMaster(previous);
  await deposit(store, 'after the failover');
  for (let renewal = 0; renewal < 5; renewal++) {
    watch.fire(); // renews the token at the new master, and waits for the replica a moment only
    await watch.rearmed();
  }
}

/** Starts all servers again, each over its data, and with `configs` in the role that it had first. */
async function restartAll(
  servers: readonly RedisServer[],
  configs: ReadonlyMap<RedisServer, string>,
): Promise<void> {
  for (const server of servers) await server.kill9();
  for (const server of servers) {
    const config = configs.get(server);
    if (config !== undefined) await writeFile(join(server.dir, 'redis.conf'), config);
    await server.restart();
  }
}

async function configOf(server: RedisServer): Promise<[RedisServer, string]> {
  return [server, await readFile(join(server.dir, 'redis.conf'), 'utf8')];
}

async function playedOver(): Promise<[RedisSentinel, Map<RedisServer, string>, AccountStore]> {
  const started = await startRedisSentinel({ replicas: 2 });
  const sentinel = cleanup.after(started);
  const configs = new Map(await Promise.all(sentinel.servers.map(configOf)));
  const store = open(sentinel);
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '0' } });
  await deposit(store, 'before the failover');
  await store.ready();
  await failOver(sentinel, store);
  return [sentinel, configs, store];
}

test('servers that start in fixed roles lose what was confirmed after a failover, and the store refuses them', async () => {
  const [sentinel, configs, store] = await playedOver();
  await restartAll(sentinel.servers, configs);
  await until('the store to find it out', async () => {
    const result = await store.rounds.accounts(player);
    return result.kind === 'unknown' && /holds older data/.test(result.cause.message);
  });
  watch = new LateTimer(systemClock, watchIntervalMs);
  const another = open(sentinel);
  expect(await another.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1n }] });
});

test('servers that keep the roles that Sentinel gave them lose nothing', async () => {
  const [sentinel, , store] = await playedOver();
  await restartAll(sentinel.servers, new Map());
  await until(
    'service to return',
    async () => (await store.rounds.accounts(player)).kind === 'known',
  );
  expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 2n }] });
});
