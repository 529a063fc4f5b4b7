import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { type Running, startProgram } from '../docs/process';
import { withRedis } from '../servers/redis/client';
import { startRedisCluster } from '../servers/redis/cluster';
import { startRedisSentinel } from '../servers/redis/sentinel';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import {
  debitCall,
  MAIN,
  OPERATOR,
  runCli,
  type Service,
  signer,
  startService,
  temporaryFile,
} from './cli';

const ANN = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100' } }];
const DAY_MS = 24 * 3600 * 1000;

const services: Service[] = [];

/** A service with a player, stopped after the test. */
async function serve(...args: readonly string[]): Promise<Service> {
  const players = await temporaryFile('players.json', ANN);
  const service = await startService(['--players', players, '--init', ...args]);
  services.push(service);
  return service;
}

afterEach(async () => {
  for (const service of services.splice(0)) expect(await service.stop()).toBe(0);
});

async function readyStatus({ port }: Service): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
}

/** A round that is played and ended in one call. */
function playedRound(gameRound: string) {
  return signer.doTransactions({
    playerId: 'ann',
    gameCode: 'bells',
    gameRound,
    transactionCount: 2,
    transactions: [
      { type: 'debit', hash: gameRound, amount: 1, currency: 'EUR', isFirstDebit: true },
      { type: 'end', hash: `${gameRound}-end` },
    ],
  });
}

describe('one server', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis({ config: { requirepass: 'hush-hush' } });
  });

  afterAll(() => redis.stop());

  function keysLike(pattern: string): Promise<string[]> {
    return withRedis(redis, (client) => client.keys(pattern));
  }

  test('keeps money from one start to the next, and the log never tells its password', async () => {
    const first = await serve('--store', redis.url);
    expect(first.lines[0]).toMatchObject({
      store: 'redis',
      storeAddress: `redis://127.0.0.1:${redis.port}`,
    });
    expect(await first.line('players opened')).toMatchObject({ opened: 1, existed: 0 });
    expect(await first.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
    await first.stop();
    const second = await serve('--store', redis.url);
    expect(await second.line('players opened')).toMatchObject({ opened: 0, existed: 1 });
    const { text } = await second.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
    expect(text).toContain('"amount":90,');
    expect(second.lines.some(({ msg }) => msg.includes('memory'))).toBe(false);
    expect(first.output() + second.output()).not.toContain('hush');
  });

  test('not ready while the store does not answer, but alive, and ready again with it', async () => {
    const service = await serve('--store', redis.url);
    await until('to be ready', async () => (await readyStatus(service)) === 200);
    await redis.kill9();
    await until('not to be ready', async () => (await readyStatus(service)) === 503);
    expect((await fetch(`http://127.0.0.1:${service.port}/healthz`)).status).toBe(200);
    await redis.restart();
    await until('to be ready', async () => (await readyStatus(service)) === 200);
    expect(service.output()).not.toContain('hush');
  });

  test('not ready while the store hangs', async () => {
    const service = await serve('--store', redis.url);
    await redis.pause();
    expect(await readyStatus(service)).toBe(503);
    await redis.resume();
    await until('to be ready', async () => (await readyStatus(service)) === 200);
  });

  test('a debit is answered 503 at the deadline while the store hangs', async () => {
    const patient = await serve('--store', redis.url, '--deadline-ms', '60000');
    const service = await serve('--store', redis.url, '--deadline-ms', '100');
    await redis.pause();
    const waiting = patient.call(debitCall('ann', 'r-waits'));
    expect(await service.call(debitCall('ann', 'r-late'))).toMatchObject({ status: 503 });
    await redis.resume();
    expect(await waiting).toMatchObject({ status: 200 });
  });

  test('closed rounds are kept for the retention, under the namespace', async () => {
    const service = await serve(
      '--store',
      redis.url,
      '--namespace',
      'mine',
      '--retention-days',
      '3',
    );
    expect(await service.call(playedRound('r-closed'))).toMatchObject({ status: 200 });
    const [key = ''] = await keysLike('mine:*r-closed*');
    const leftMs = await withRedis(redis, (client) => client.pttl(key));
    expect(leftMs).toBeGreaterThan(3 * DAY_MS - 60_000);
    expect(leftMs).toBeLessThanOrEqual(3 * DAY_MS);
    expect(await keysLike('rgs:*r-closed*')).toEqual([]);
  });

  test.each(['--events-limit', 'EVENTS_LIMIT'])(
    '%s says behind how many waiting events commits write pointers',
    async (name) => {
      const flag = name.startsWith('-') ? [name, '2'] : [];
      const env = { ...OPERATOR, ...(flag.length === 0 ? { [name]: '2' } : {}) };
      const players = await temporaryFile('players.json', ANN);
      const namespace = name.replace(/\W/g, '');
      const args = ['--store', redis.url, '--namespace', namespace, '--init', '--players', players];
      const service = await startService([...args, '--events', 'archive', ...flag], env);
      services.push(service);
      for (let round = 1; round <= 8; round++) {
        expect(await service.call(playedRound(`r-${round}`))).toMatchObject({ status: 200 });
      }
      const line = 'too many events wait for a consumer: only pointers to the rounds are written';
      expect(await service.line(line)).toMatchObject({ level: 50 });
    },
  );

  test('a write with fewer replicas than waitReplicas is not reported as done', async () => {
    const service = await serve('--store', redis.url, '--namespace', 'replicated');
    await service.stop();
    const args = ['--store', redis.url, '--namespace', 'replicated', '--wait-replicas', '1'];
    const waiting = await startService([...args, '--deadline-ms', '1000']);
    services.push(waiting);
    expect(await waiting.line('writes end as unknown (D7) until replicas connect')).toMatchObject({
      level: 40,
      replicas: 0,
      waitReplicas: 1,
      cure: expect.stringContaining('--wait-replicas'),
    });
    expect(await waiting.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 503 });
  });
});

test('a server that can lose money is used with --accept-loss, and each start warns of it', async () => {
  const redis = await startRedis({ config: { appendfsync: 'everysec' } });
  const service = await serve('--store', redis.url, '--accept-loss');
  expect(service.lines[0]).toMatchObject({ msg: 'listening' });
  expect(await service.line('money may be lost')).toMatchObject({
    level: 40,
    danger: expect.stringContaining('appendfsync always'),
  });
  expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
  await redis.stop();
});

test('a server that forbids CONFIG is made a store and used with --assume-durable alone', async () => {
  const redis = await startRedis();
  const user = ['wallet', 'on', '>s3cret', '~*', '+@all', '-config'];
  await withRedis(redis, (admin) => admin.call('ACL', 'SETUSER', ...user));
  const url = `redis://wallet:s3cret@127.0.0.1:${redis.port}`;
  const refused = await runCli(['init', '--store', url]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--assume-durable') });
  expect(await runCli(['init', '--store', url, '--assume-durable'])).toMatchObject({ code: 0 });
  const service = await serve('--store', url, '--assume-durable');
  expect(await service.line('durability is not checked')).toMatchObject({ level: 40 });
  expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
  await redis.stop();
});

test('a master is found by its sentinels', async () => {
  const sentinel = await startRedisSentinel();
  const hosts = sentinel.sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
  const service = await serve('--store', `redis+sentinel://${hosts}/${sentinel.name}`);
  expect(service.lines[0]).toMatchObject({ store: 'redis+sentinel' });
  expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
  await service.stop();
  await sentinel.stop();
});

test('a service that starts while its cluster forms waits for it, and says so', async () => {
  const starting: Running[] = [];
  const cluster = await startRedisCluster({
    beforeForming: async (nodes) => {
      const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
      const flags = ['--store', `redis+cluster://${hosts}`, '--init', '--port', '0'];
      const service = startProgram(process.execPath, [MAIN, 'serve', ...flags], { env: OPERATOR });
      starting.push(service);
      await service.writes('has no master yet: waiting for it');
    },
  });
  for (const service of starting) {
    await service.writes('listening');
    await service.stop();
  }
  await cluster.stop();
});

test('a cluster is found by any of its nodes', async () => {
  const cluster = await startRedisCluster();
  const hosts = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`).join(',');
  const service = await serve('--store', `redis+cluster://${hosts}`);
  expect(service.lines[0]).toMatchObject({ store: 'redis+cluster' });
  expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
  await service.stop();
  await cluster.stop();
});
