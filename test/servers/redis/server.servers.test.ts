import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, expect, test } from '@jest/globals';

import { temporaryFolder } from '../reaper';
import { withRedis } from './client';
import { type RedisServer, type RedisServerOptions, startRedis } from './server';

const servers: RedisServer[] = [];

async function start(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await startRedis(options);
  servers.push(server);
  return server;
}

function ask(server: RedisServer, command: string, ...args: string[]): Promise<unknown> {
  return withRedis(server, (client) => client.call(command, ...args));
}

async function openssl(args: string): Promise<void> {
  await promisify(execFile)('openssl', args.split(' '));
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

test('an acknowledged SET survives kill -9 and a restart on the same port', async () => {
  const server = await start();
  const { port, pid } = server;
  expect(await ask(server, 'SET', 'k', 'v')).toBe('OK');
  await server.kill9();
  expect(server.isRunning()).toBe(false);
  await expect(ask(server, 'PING')).rejects.toThrow();
  await server.restart();
  expect(await ask(server, 'GET', 'k')).toBe('v');
  expect(server.port).toBe(port);
  expect(server.pid).not.toBe(pid);
});

test('stopping a server removes its data', async () => {
  const server = await start();
  expect(existsSync(server.dir)).toBe(true);
  await server.stop();
  expect(existsSync(server.dir)).toBe(false);
});

test('the defaults lose no acknowledged write and never evict, and a directive replaces a default', async () => {
  const server = await start({ config: { appendfsync: 'everysec' } });
  expect(await ask(server, 'CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
  expect(await ask(server, 'CONFIG', 'GET', 'appendonly')).toContain('yes');
  expect(await ask(server, 'CONFIG', 'GET', 'appendfsync')).toContain('everysec');
});

test('a replica with a password follows its master', async () => {
  const master = await start({ config: { requirepass: 'pw' } });
  const replica = await start({
    config: { replicaof: `127.0.0.1 ${master.port}`, masterauth: 'pw', requirepass: 'pw' },
  });
  await ask(master, 'SET', 'k', 'v');
  expect(await ask(replica, 'ROLE')).toContain('slave');
  expect(master.url).toBe(`redis://:pw@127.0.0.1:${master.port}`);
});

test('a paused server answers nothing until it is resumed', async () => {
  const server = await start();
  await server.pause();
  const reply = ask(server, 'PING');
  const first = await Promise.race([
    reply,
    new Promise((resolve) => setImmediate(resolve, 'none')),
  ]);
  expect(first).toBe('none');
  await server.resume();
  expect(await reply).toBe('PONG');
});

test('a server can be reached over TLS only', async () => {
  const folder = await temporaryFolder('tls');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await openssl(
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${key} -out ${cert} -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1`,
  );
  const server = await start({ tls: { cert, key, ca: cert } });
  expect(await ask(server, 'PING')).toBe('PONG');
  expect(server.url).toMatch(/^rediss:/);
});

test('a directive Redis does not know fails with what Redis said', async () => {
  await expect(startRedis({ config: { 'no-such-directive': 'x' } })).rejects.toThrow(
    /Bad directive/,
  );
});
