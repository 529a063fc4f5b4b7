import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { closeClient } from '../servers/redis/client';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { type TcpProxy, startTcpProxy } from './tcp-proxy';
import { until } from '../servers/until';

let redis: RedisServer;
let direct: Redis;
let proxy: TcpProxy;
let client: Redis;

beforeAll(async () => {
  redis = await startRedis();
  direct = new Redis(redis.clientOptions);
});

afterAll(async () => {
  closeClient(direct);
  await redis.stop();
});

beforeEach(async () => {
  await direct.flushall();
  proxy = await startTcpProxy(redis.clientOptions);
  client = connectThrough(proxy);
  await client.ping();
});

afterEach(async () => {
  closeClient(client);
  await proxy.close();
});

/** A client that reports what the network does to it: it repeats nothing, and comes back when it can. */
function connectThrough({ host, port }: TcpProxy): Redis {
  const through = new Redis({
    host,
    port,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 10,
  });
  through.on('error', () => undefined); // the rejected command says the same
  return through;
}

test('everything passes and is counted', async () => {
  expect(await client.set('k', 'v')).toBe('OK');
  expect(proxy.counters).toMatchObject({ connections: 1, open: 1, repliesDropped: 0 });
  expect(proxy.counters.bytesUp).toBeGreaterThan(0);
  expect(proxy.counters.bytesDown).toBeGreaterThan(0);
});

test('a dropped reply closes the connection though the write arrived', async () => {
  const dropped = proxy.dropNextReply();
  await expect(client.incr('n')).rejects.toThrow();
  await dropped;
  expect(await direct.get('n')).toBe('1');
  expect(await client.incr('n')).toBe(2);
  expect(proxy.counters.repliesDropped).toBe(1);
});

test('only the reply to a fitting request is dropped', async () => {
  const dropped = proxy.dropNextReply({ to: (request) => request.includes('incr') });
  expect(await client.set('n', '5')).toBe('OK');
  await expect(client.incr('n')).rejects.toThrow();
  await dropped;
  expect(await direct.get('n')).toBe('6');
});

test('replies are cut after a number of them, until the proxy passes again', async () => {
  proxy.cutRepliesAfter(2);
  expect(await client.incr('n')).toBe(1);
  expect(await client.incr('n')).toBe(2);
  await expect(client.incr('n')).rejects.toThrow();
  expect(await direct.get('n')).toBe('3');
  await proxy.pass();
  expect(await client.incr('n')).toBe(4);
});

test('a blackhole delivers the request and gives no reply, and its connection does not outlive it', async () => {
  proxy.blackhole();
  const reply = client.incr('n').then(String, () => 'closed');
  await until('the reply to be swallowed', () => proxy.counters.bytesLost > 0);
  expect(await direct.get('n')).toBe('1');
  expect(proxy.counters.open).toBe(1);
  await proxy.pass();
  expect(await reply).toBe('closed');
  expect(await client.incr('n')).toBe(2);
});

test('a blackhole can swallow the request as well', async () => {
  proxy.blackhole({ deliver: false });
  const reply = client.incr('n').then(String, () => 'closed');
  await until('the request to be swallowed', () => proxy.counters.bytesLost > 0);
  await proxy.pass();
  expect(await reply).toBe('closed');
  expect(await direct.get('n')).toBeNull();
});

test('a refusing proxy is a port on which nothing listens, until it passes again', async () => {
  await proxy.refuse();
  const error = new Promise((resolve) => client.once('error', resolve));
  expect(await error).toMatchObject({ code: 'ECONNREFUSED' });
  await proxy.pass();
  await until('the client to come back', () => client.status === 'ready');
  expect(await client.ping()).toBe('PONG');
});

test('held replies arrive in order when they are released', async () => {
  const { held, release } = proxy.hold('replies');
  const order: number[] = [];
  const replies = [1, 2].map((n) => client.incr('n').then(() => order.push(n)));
  await held;
  expect(order).toEqual([]);
  release();
  await Promise.all(replies);
  expect(order).toEqual([1, 2]);
});

test('a held request reaches the server after its client has given up', async () => {
  const { held, release } = proxy.hold('requests');
  const reply = client.incr('n').then(String, () => 'gave up');
  await held;
  client.stream.destroy();
  expect(await reply).toBe('gave up');
  expect(await direct.get('n')).toBeNull();
  release();
  await until('the late request to arrive', async () => (await direct.get('n')) === '1');
});
