import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { connect, createServer, type Server } from 'node:net';

import { StoreUnavailableError, StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import type { Logger } from '../../../../lib/platform';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { Cleanup } from '../../../servers/cleanup';
import { freePort } from '../../../servers/ports';
import { closeClient, withRedis } from '../../../servers/redis/client';
import { type RedisConfig, type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';

const cleanup = new Cleanup();

afterEach(async () => {
  jest.restoreAllMocks();
  await cleanup.run();
});

async function serve(config: RedisConfig = {}): Promise<RedisServer> {
  return cleanup.after(await startRedis({ config }));
}

function open(options: RedisStoreOptions): AccountStore {
  return cleanup.after(createRedisStore({ ...patience, init: true, ...options }));
}

/** The error a store's start ends with. */
async function refusal(options: RedisStoreOptions): Promise<Error> {
  return open(options)
    .ready()
    .then(
      () => new Error('the store was ready'),
      (error: Error) => error,
    );
}

/** The same; when the store has found out that it is not connected, the time to connect is over. */
async function refusalInTime(url: string): Promise<Error> {
  const clock = new LeapingClock();
  let disconnections = 0;
  const note = (): void => {
    disconnections += 1;
  };
  const refused = refusal({
    url,
    clock,
    logger: { info: () => undefined, warn: note, error: note },
  });
  await until('the fault to be seen', () => disconnections > 0);
  clock.leap(patience.connectTimeoutMs);
  return refused;
}

/** A logger that keeps its warnings. */
function keeping(warnings: string[]): Logger {
  const keep = (fields: object): void => {
    warnings.push(String('danger' in fields ? fields.danger : ''));
  };
  return { info: () => undefined, warn: keep, error: keep };
}

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR', balances: { real: '1' } };

/** The address of a server, for a user who may not do everything. */
async function managed(config: RedisConfig = {}, rights = '-config'): Promise<string> {
  const redis = await serve(config);
  const rules = ['wallet', 'on', '>secret', '~*', '+@all', ...rights.split(' ')];
  await withRedis(redis, (admin) => admin.call('ACL', 'SETUSER', ...rules));
  return `redis://wallet:secret@127.0.0.1:${redis.port}`;
}

test.each<[string, RedisConfig, string]>([
  [
    'evicts keys when it is full',
    { 'maxmemory-policy': 'allkeys-lru' },
    'maxmemory-policy must be noeviction: otherwise a full server forgets hashes and pays wins again.',
  ],
  [
    'writes no log',
    { appendonly: 'no' },
    'appendonly must be yes and appendfsync always: otherwise a crash loses money that was acknowledged.',
  ],
  [
    'syncs its log every second',
    { appendfsync: 'everysec' },
    'appendonly must be yes and appendfsync always: otherwise a crash loses money that was acknowledged.',
  ],
  [
    'stops syncing while it rewrites its log',
    { 'no-appendfsync-on-rewrite': 'yes' },
    'no-appendfsync-on-rewrite must be no: otherwise a crash while the log is rewritten loses money that was acknowledged.',
  ],
])('a server that %s is refused, and the message says what to change', async (_, config, says) => {
  const { url } = await serve(config);
  const error = await refusal({ url });
  expect(error).toBeInstanceOf(StoreUnsafeError);
  expect(error.message).toBe(says);
});

test('a database that the server has not is refused: ioredis would go on in database 0, with the money of another wallet', async () => {
  const { url } = await serve({ databases: 2 });
  const error = await refusal({ url: `${url}/2` });
  expect(error).toBeInstanceOf(StoreUnsafeError);
  expect(error.message).toBe(
    'Redis refuses the database 2 of the address: ERR DB index is out of range',
  );
  const client = new Redis(`${url}/2`, { lazyConnect: true });
  client.on('error', () => undefined); // the refused SELECT
  cleanup.after(client, closeClient);
  await client.connect();
  expect((await refusal({ client })).message).toMatch(/^Redis refuses the database 2 /);
  const last = open({ url: `${url}/1` });
  await last.ready();
  expect((await last.players.openPlayer(player)).kind).toBe('opened');
  expect(await open({ url }).rounds.accounts(player)).toMatchObject({ accounts: null });
});

test('TLS to a port without it is no connection, and the message asks for that', async () => {
  const { port } = await serve();
  const refused = refusal({ url: `rediss://127.0.0.1:${port}`, connectTimeoutMs: 200 });
  expect((await refused).message).toBe(
    'Redis does not answer: no connection; does its port take TLS?',
  );
});

test('the message names every danger at once', async () => {
  const { url } = await serve({ 'maxmemory-policy': 'volatile-ttl', appendonly: 'no' });
  const { message } = await refusal({ url });
  expect(message).toMatch(/maxmemory-policy must be .* appendonly must be /);
});

test('a store on an unsafe server moves nothing, and says that nobody knows', async () => {
  const { url } = await serve({ appendfsync: 'everysec' });
  const store = open({ url });
  const result = await store.players.openPlayer(player);
  expect(result).toMatchObject({ kind: 'unknown', cause: expect.any(StoreUnsafeError) });
});

test('with acceptLoss an unsafe server is used, and each danger is logged', async () => {
  const { url } = await serve({ 'maxmemory-policy': 'allkeys-lru', appendonly: 'no' });
  const warnings: string[] = [];
  const store = open({ url, acceptLoss: true, logger: keeping(warnings) });
  await store.ready();
  expect((await store.players.openPlayer(player)).kind).toBe('opened');
  expect(warnings).toEqual([
    expect.stringMatching(/^maxmemory-policy must be noeviction/),
    expect.stringMatching(/^appendonly must be yes/),
  ]);
  const checked = store.server?.settings?.map(({ name, value, isMet }) => [name, value, isMet]);
  expect(checked).toEqual([
    ['maxmemory-policy', 'allkeys-lru', false],
    ['appendonly', 'no', false],
    ['appendfsync', 'always', true],
    ['no-appendfsync-on-rewrite', 'no', true],
  ]);
});

test.each(['-config', '-config -info'])(
  'a server whose settings may not be read (%s) is refused unless loss is accepted',
  async (rights) => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined); // ioredis misses INFO aloud
    const redis = await serve();
    const user = ['user', 'wallet', 'on', '>secret', '~*', '+@all', ...rights.split(' ')].join(' ');
    const [, ...rules] = user.split(' ');
    await withRedis(redis, (admin) => admin.call('ACL', 'SETUSER', ...rules));
    const url = `redis://wallet:secret@127.0.0.1:${redis.port}`;
    const error = await refusal({ url });
    expect(error).toBeInstanceOf(StoreUnsafeError);
    expect(error.message).toMatch(/not permitted/);
    expect(error.message).not.toContain('secret');
    await open({ url, acceptLoss: true }).ready();
  },
);

describe('a managed service that forbids CONFIG', () => {
  test('is refused, and the message names the option', async () => {
    const { message } = await refusal({ url: await managed() });
    expect(message).toMatch(/^CONFIG GET is not permitted: .* assumeDurable/);
  });

  test('is used with assumeDurable, and the log says what was not checked', async () => {
    const told: string[] = [];
    const tell = (fields: object, text: string): void => {
      told.push(`${text} ${JSON.stringify(fields)}`);
    };
    const logger: Logger = { info: () => undefined, warn: tell, error: tell };
    const store = open({ url: await managed(), assumeDurable: true, logger });
    await store.ready();
    expect((await store.players.openPlayer(player)).kind).toBe('opened');
    expect(told).toEqual([
      'durability is not checked: CONFIG GET is not permitted and assumeDurable is set {"aofEnabled":true}',
    ]);
    expect(store.server?.settings).toMatchObject([
      { name: 'maxmemory-policy', value: 'noeviction', isMet: true },
      { name: 'appendonly', value: null, isMet: null },
      { name: 'appendfsync', value: null, isMet: null },
      { name: 'no-appendfsync-on-rewrite', value: null, isMet: null },
    ]);
  });

  test('is the same where the command is not there at all', async () => {
    const { url } = await serve({ 'rename-command': 'CONFIG ""' });
    expect((await refusal({ url })).message).toMatch(/^CONFIG GET is not permitted/);
    await open({ url, assumeDurable: true }).ready();
  });

  test('is refused with assumeDurable where INFO says that it evicts', async () => {
    const url = await managed({ 'maxmemory-policy': 'allkeys-lru' });
    const { message } = await refusal({ url, assumeDurable: true });
    expect(message).toMatch(/^maxmemory-policy must be noeviction/);
  });

  test('is refused with assumeDurable where INFO is forbidden too', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined); // ioredis misses INFO aloud
    const { message } = await refusal({
      url: await managed({}, '-config -info'),
      assumeDurable: true,
    });
    expect(message).toMatch(/^INFO is not permitted/);
  });

  test('assumeDurable does not replace the check if CONFIG is permitted', async () => {
    const { url } = await serve({ appendfsync: 'everysec' });
    const { message } = await refusal({ url, assumeDurable: true });
    expect(message).toMatch(/appendfsync always/);
  });
});

/** What a store logs whose user may read these settings. */
async function toldOf(config: RedisConfig, user?: string): Promise<string[]> {
  const redis = await serve(config);
  const password = config['requirepass'];
  const rules = ['wallet', 'on', '>own', '~*', '+@all'];
  const asAdmin = { password: String(password ?? '') };
  const options = password === undefined ? {} : asAdmin;
  const admin = cleanup.after(new Redis({ ...redis.clientOptions, ...options }), closeClient);
  await admin.call('ACL', 'SETUSER', ...rules);
  const told: string[] = [];
  const tell = (fields: object, text: string): void => {
    told.push(`${text} ${JSON.stringify(fields)}`);
  };
  const url = user ?? `redis://wallet:own@127.0.0.1:${redis.port}`;
  await open({
    url: user === undefined ? url : redis.url,
    logger: { info: () => undefined, warn: tell, error: tell },
  }).ready();
  return told;
}

describe('the passwords of the administrator, which CONFIG GET shows to the user of the wallet', () => {
  const readable =
    'the user of the wallet can read a password of the administrator in the settings of Redis';

  test.each([
    [{ requirepass: 'hush-hush' }, '["requirepass"]'],
    [{ masterauth: 'hush-hush' }, '["masterauth"]'],
  ])('are warned of at start, and not repeated: %j', async (config, settings) => {
    const [warning, ...more] = await toldOf(config);
    expect(warning).toContain(`${readable} {"settings":${settings},"cure":`);
    expect(more).toEqual([]);
    expect(warning).not.toContain('hush');
  });

  test('are not where there are none, nor for the administrator', async () => {
    expect(await toldOf({})).toEqual([]);
    expect(await toldOf({ requirepass: 'hush-hush' }, 'default')).toEqual([]);
  });
});

test('a server older than 7.0 is refused, whatever loss is accepted', async () => {
  const redis = await serve();
  const port = await serveAsVersion6(redis.port);
  const error = await refusal({ url: `redis://127.0.0.1:${port}`, acceptLoss: true });
  expect(error).toBeInstanceOf(StoreUnsafeError);
  expect(error.message).toMatch(/^Redis 6\.\d+\.\d+ is too old: 7\.0 or later is needed\.$/);
});

test('data that were kept with other decimals are refused', async () => {
  const { url } = await serve();
  await open({ url, decimals: 2 }).ready();
  const error = await refusal({ url, decimals: 3 });
  expect(error).toBeInstanceOf(StoreUnsafeError);
  expect(error.message).toBe('The data under rgs:settings has decimals 2; this store is set to 3.');
  await open({ url, decimals: 2 }).ready();
  await open({ url, decimals: 3, namespace: 'other' }).ready();
});

test('an unreachable server is reported within the connection time-out, without the password', async () => {
  const url = `redis://user:hush-hush@127.0.0.1:${await freePort()}`;
  const error = await refusalInTime(url);
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect(error.message).toMatch(/ECONNREFUSED/);
  expect(error.message).not.toContain('hush');
});

test('a wrong password is reported as such, without repeating it', async () => {
  const { port } = await serve({ requirepass: 'right' });
  const error = await refusalInTime(`redis://:hush-hush@127.0.0.1:${port}`);
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect(error.message).toMatch(/WRONGPASS/);
  expect(error.message).not.toContain('hush');
});

test('a replica is not accepted as the server that keeps the money', async () => {
  const master = await serve();
  const replica = await serve({ replicaof: `127.0.0.1 ${master.port}` });
  const client = cleanup.after(new Redis(replica.clientOptions), closeClient);
  await client.ping();
  const clock = new LeapingClock();
  const pauses = jest.spyOn(clock, 'pause');
  const refused = refusal({ client, clock });
  await until('the server to be inspected', () => pauses.mock.calls.length > 0);
  clock.leap(patience.connectTimeoutMs);
  const error = await refused;
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect(error.message).toMatch(/replica/);
});

/** A port that leads to a real server, except for the reported version. */
async function serveAsVersion6(port: number): Promise<number> {
  const server: Server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port });
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1').replace(/redis_version:\d/, 'redis_version:6');
      client.write(Buffer.from(text, 'latin1'));
    });
    upstream.on('close', () => client.destroy());
  });
  const listening = await freePort();
  await new Promise<void>((resolve) => server.listen(listening, '127.0.0.1', resolve));
  cleanup.after(server);
  return listening;
}
