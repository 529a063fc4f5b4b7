import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type RedisServer, startRedis } from '../servers/redis/server';
import { until } from '../servers/until';
import { debitCall, type Service, startService, temporaryFile } from './cli';

const ANN = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100' } }];

async function startWithAnn(...args: readonly string[]): Promise<Service> {
  return startService(['--players', await temporaryFile('players.json', ANN), ...args]);
}

/** A connection to send bytes on as one likes. */
class RawConnection {
  received = '';
  readonly closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    this.closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      this.received += bytes.toString('utf8');
    });
  }

  static async to(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Resolves when the bytes have left. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(text, () => resolve());
    });
  }
}

/** A debit of ann as bytes: the head of the request, and its body. */
function debitBytes(gameRound: string): { head: string; body: string } {
  const { path, headers, body = '' } = debitCall('ann', gameRound);
  const lines = Object.entries({ ...headers, Host: 'wallet', 'Content-Length': body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { head: `POST ${path} HTTP/1.1\r\n${head}\r\n`, body };
}

/** Resolves once the service has received the connection, seen by its answer to another one. */
async function isAnswering(service: Service): Promise<void> {
  await fetch(`http://127.0.0.1:${service.port}/healthz`, { headers: { connection: 'close' } });
}

async function refusesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('finishes a call whose body is still coming, takes no new connection, and exits with 0', async () => {
    const service = await startWithAnn();
    const connection = await RawConnection.to(service.port);
    const { head, body } = debitBytes('r-1');
    await connection.send(head + body.slice(0, 10));
    await isAnswering(service);
    service.signal(signal);
    expect(await service.line('stopping')).toMatchObject({ signal });
    expect(await refusesConnections(service.port)).toBe(true);
    await connection.send(body.slice(10));
    await connection.closed;
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(connection.received).toMatch(/\r\nconnection: close\r\n/i);
    expect(connection.received).toContain('"amount":90,');
    expect(await service.exit).toBe(0);
    expect(service.lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });
});

test('connections that carry no call do not hold the service up', async () => {
  const service = await startWithAnn('--grace-ms', '600000');
  const [silent, kept] = [
    await RawConnection.to(service.port),
    await RawConnection.to(service.port),
  ];
  const { head, body } = debitBytes('r-1');
  await kept.send(head + body);
  await until('the answer', () => kept.received.includes('hashesProcessed'));
  expect(kept.received).toMatch(/\r\nconnection: keep-alive\r\n/i);
  service.signal('SIGTERM');
  await Promise.all([silent.closed, kept.closed]);
  expect(await service.exit).toBe(0);
});

test('while it stops, the service tells that it is not ready, and that it is alive', async () => {
  const service = await startWithAnn();
  const ready = await RawConnection.to(service.port);
  const alive = await RawConnection.to(service.port);
  await ready.send('GET /readyz HTTP/1.1\r\nHost: wallet\r\n');
  await alive.send('GET /healthz HTTP/1.1\r\nHost: wallet\r\n');
  await isAnswering(service);
  service.signal('SIGTERM');
  await service.line('stopping');
  await ready.send('\r\n');
  await alive.send('\r\n');
  await Promise.all([ready.closed, alive.closed]);
  expect(ready.received).toMatch(/^HTTP\/1\.1 503 /);
  expect(alive.received).toMatch(/^HTTP\/1\.1 200 /);
  expect(await service.exit).toBe(0);
});

test('a call that outlasts the grace period is cut off, which the log tells', async () => {
  const service = await startWithAnn('--grace-ms', '50');
  const connection = await RawConnection.to(service.port);
  const { head } = debitBytes('r-1');
  await connection.send(head);
  await isAnswering(service);
  service.signal('SIGTERM');
  await connection.closed;
  expect(connection.received).toBe('');
  expect(await service.exit).toBe(0);
  expect(await service.line('shut down with calls in flight')).toMatchObject({ level: 40 });
});

test('a second signal ends the grace period', async () => {
  const service = await startWithAnn('--grace-ms', '600000');
  const connection = await RawConnection.to(service.port);
  await connection.send(debitBytes('r-1').head);
  await isAnswering(service);
  service.signal('SIGTERM');
  await service.line('stopping');
  service.signal('SIGTERM');
  await connection.closed;
  expect(await service.exit).toBe(0);
});

describe('with Redis', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  test('a call that waits for the store is finished, and its money has moved', async () => {
    const service = await startWithAnn('--init', '--store', redis.url, '--deadline-ms', '30000');
    await redis.pause();
    const answer = service.call(debitCall('ann', 'r-1'));
    await isAnswering(service);
    service.signal('SIGTERM');
    await service.line('stopping');
    await redis.resume();
    expect(await answer).toMatchObject({ status: 200, connection: 'close' });
    expect(await service.exit).toBe(0);
    const next = await startWithAnn('--init', '--store', redis.url);
    const again = await next.call(debitCall('ann', 'r-1'));
    expect(again.text).toContain('"amount":90,');
    expect(await next.stop()).toBe(0);
  });

  test('bytes that are not HTTP behind a call in flight get no answer, because it would look like the answer to the call', async () => {
    const service = await startWithAnn('--init', '--store', redis.url);
    const connection = await RawConnection.to(service.port);
    await redis.pause();
    const { head, body } = debitBytes('r-2');
    await connection.send(head + body);
    await connection.send('no HTTP\r\n\r\n');
    await connection.closed;
    await redis.resume();
    expect(connection.received).toBe('');
    expect(await service.stop()).toBe(0);
  });
});
