import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { RawConnection } from '../network/raw-http';
import { withRedis } from '../servers/redis/client';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { OPERATOR, runCli, type Service, startService } from './cli';

const healthy = 'GET /healthz HTTP/1.1\r\nHost: wallet\r\n\r\n';

const services: Service[] = [];
const connections: RawConnection[] = [];

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.abort();
  for (const service of services.splice(0)) expect(await service.stop()).toBe(0);
});

/** A service that may have so many files open. */
async function serve(openFiles: number, ...args: readonly string[]): Promise<Service> {
  const service = await startService(args, OPERATOR, { openFiles });
  services.push(service);
  return service;
}

async function open(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  connections.push(connection);
  return connection;
}

describe('with Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  test('callers cannot use up the file descriptors that the store needs to come back', async () => {
    const service = await serve(128, '--store', redis.url, '--init');
    const openMany = async (): Promise<void> => {
      for (let at = 0; at < 200; at += 1) {
        const connection = await open(service.port);
        connection.send(healthy);
      }
    };
    await openMany();
    // The store loses its connection, the callers keep theirs, and take what they can get.
    await redis.kill9();
    await service.line('the connection to Redis failed');
    await openMany();
    await redis.restart();
    await until('the store to come back', () =>
      withRedis(redis, async (client) => {
        const list = (await client.call('CLIENT', 'LIST', 'TYPE', 'normal')) as string;
        return list.trim().split('\n').length > 1;
      }),
    );
  });
});

test('the first line tells how many connections may be open: what the limit leaves beside the store', async () => {
  expect((await serve(128)).lines[0]).toMatchObject({ maxConnections: 64 });
  expect((await serve(1024)).lines[0]).toMatchObject({ maxConnections: 896 });
});

test('a flag sets it, and one that leaves nothing for the store is refused', async () => {
  expect((await serve(128, '--max-connections', '40')).lines[0]).toMatchObject({
    maxConnections: 40,
  });
  const limits = { openFiles: 128 };
  const args = ['serve', '--port', '0', '--max-connections', '65'];
  const { code, stderr } = await runCli(args, { env: OPERATOR, limits });
  expect(code).toBe(2);
  expect(stderr).toMatch(/--max-connections must be at most 64: .* 128 files/);
});

test('one connection too many is closed at once, and logged once', async () => {
  const service = await serve(128, '--max-connections', '4');
  for (let at = 0; at < 10; at += 1) await open(service.port);
  expect(await service.line('connections refused')).toMatchObject({ level: 40, maxConnections: 4 });
  const refusals = service.lines.filter(({ msg }) => msg.startsWith('connections refused'));
  expect(refusals).toHaveLength(1);
});
