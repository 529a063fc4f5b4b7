import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createServer, type Socket } from 'node:net';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { freePort } from '../../../servers/ports';
import { closeClient, withRedis } from '../../../servers/redis/client';
import type { RedisServer } from '../../../servers/redis/server';
import { type RedisSentinel, startRedisSentinel } from '../../../servers/redis/sentinel';
import { startTcpProxy } from '../../../network/tcp-proxy';
import { until } from '../../../servers/until';

const cleanup = new Cleanup();
let sentinel: RedisSentinel;

beforeEach(async () => {
  sentinel = cleanup.after(await startRedisSentinel());
});

afterEach(async () => {
  jest.restoreAllMocks();
  await cleanup.run();
});

/** The address of the master, with other sentinels named before the one that runs. */
function urlBehind(...others: readonly number[]): string {
  const ports = [...others, ...sentinel.sentinels.map(({ port }) => port)];
  return `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${sentinel.name}`;
}

async function open(url: string): Promise<AccountStore> {
  const options = { url, commandTimeoutMs: 300, connectTimeoutMs: 10_000 };
  const store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  return store;
}

/** The connection of the sentinel. */
function sentinelOptions(): { host: string; port: number } {
  const [address] = sentinel.sentinels;
  if (address === undefined) throw new Error('there is no sentinel');
  return address;
}

/** How many connections wait for failovers at the sentinel. */
async function listeners(): Promise<number> {
  const clientOptions = sentinelOptions();
  const list = await withRedis({ clientOptions }, (admin) => admin.call('CLIENT', 'LIST'));
  return String(list).match(/cmd=subscribe/g)?.length ?? 0;
}

test('one connection waits for failovers at each sentinel, and goes when the store is closed', async () => {
  const store = await open(urlBehind());
  await until('the store to listen', async () => (await listeners()) === 1);
  await store.close();
  await until('nothing to listen', async () => (await listeners()) === 0);
});

test('stores that are closed while they connect leave no connection behind', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const store = createRedisStore({ init: true, url: urlBehind() });
    for (let wait = 0; wait < turn; wait += 1) await new Promise(setImmediate);
    await store.close();
  }
  const store = await open(urlBehind());
  await until('the last store to listen alone', async () => (await listeners()) === 1);
  await store.close();
  await until('nothing to listen', async () => (await listeners()) === 0);
});

test('a sentinel that is down is passed over, and nothing is printed', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await open(urlBehind(await freePort()));
  await until('the store to listen', async () => (await listeners()) === 1);
  expect(printed.mock.calls).toEqual([]);
});

test('a sentinel that takes connections and says nothing is passed over', async () => {
  const port = await freePort();
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  cleanup.after(silent, (opened) => {
    for (const socket of sockets) socket.destroy();
    opened.close();
  });
  await open(urlBehind(port));
});

test('a failover that is announced while the store asks for the master does not end its connection for good', async () => {
  const proxy = cleanup.after(await startTcpProxy(sentinelOptions()));
  const options = { url: urlBehind(proxy.port), commandTimeoutMs: 30_000 };
  const store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  await until('the store to listen at both', async () => (await listeners()) === 2);
  await sentinel.replicated();
  const previous = await sentinel.masterPort();
  const asking = proxy.hold('replies');
  await withRedis(sentinel.servers[0], (admin) => admin.call('CLIENT', 'KILL', 'TYPE', 'normal'));
  await asking.held;
  const clientOptions = sentinelOptions();
  const announced = announcement(clientOptions);
  await withRedis({ clientOptions }, (admin) => admin.call('SENTINEL', 'FAILOVER', sentinel.name));
  await announced;
  await sentinel.nextMaster(previous);
  asking.release();
  await store.ready();
});

test('a failover that was announced while the sentinel could not be reached is noticed once it can', async () => {
  const proxy = cleanup.after(await startTcpProxy(sentinelOptions()));
  const url = `redis+sentinel://127.0.0.1:${proxy.port}/${sentinel.name}`;
  // The silence of the paused master would end the connection to it after twenty minutes.
  const store = cleanup.after(createRedisStore({ init: true, url, commandTimeoutMs: 600_000 }));
  await store.ready();
  await until('the store to listen', async () => (await listeners()) === 1);
  await sentinel.replicated();
  const previous = await sentinel.masterPort();
  await proxy.refuse();
  const announced = announcement(sentinelOptions());
  await serverOn(previous).pause();
  await announced;
  await sentinel.nextMaster(previous);
  await proxy.pass();
  const player = { operatorId: 'op', playerId: 'p', currency: 'EUR', balances: { real: '1' } };
  await until('the store to use the new master', async () => {
    return (await store.players.openPlayer(player)).kind !== 'unknown';
  });
  await serverOn(previous).resume();
});

/** The server on a port. */
function serverOn(port: number): RedisServer {
  const server = sentinel.servers.find((candidate) => candidate.port === port);
  if (server === undefined) throw new Error(`no server on port ${port}`);
  return server;
}

/** Resolves once the sentinel has announced another master. */
async function announcement(clientOptions: { host: string; port: number }): Promise<void> {
  const client = cleanup.after(new Redis(clientOptions), closeClient);
  const announced = new Promise<void>((resolve) => {
    client.on('message', () => resolve());
  });
  await client.subscribe('+switch-master');
  await announced;
}
