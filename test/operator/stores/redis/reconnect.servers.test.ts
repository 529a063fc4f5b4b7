import { beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { inspect } from 'node:util';

import { StoreUnavailableError, StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import type { CashResult, AccountStore } from '../../../../lib/operator/wallet';
import { closeClient, withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { startTcpProxy, type TcpProxy } from '../../../network/tcp-proxy';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let proxy: TcpProxy;
let url: string;

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
  proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
  url = `redis://127.0.0.1:${proxy.port}`;
});

/** A store that is ready, with the one player. */
async function open(options: RedisStoreOptions): Promise<AccountStore> {
  const store = cleanup.after(createRedisStore({ ...patience, init: true, ...options }));
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '0' } });
  return store;
}

function deposit(store: AccountStore, reference: string): Promise<CashResult> {
  return store.players.deposit({ ...player, amount: '1', reference });
}

async function ask(...command: [string, ...string[]]): Promise<unknown> {
  return withRedis(redis, (admin) => admin.call(...command));
}

test('a server that fails the check on reconnection is not used until it is fixed', async () => {
  const store = await open({ url });
  await ask('CONFIG', 'SET', 'appendfsync', 'everysec');
  expect((await deposit(store, 'before')).kind).toBe('done'); // what was checked stays trusted
  proxy.disconnectAll();
  await until('the gate to shut', async () => (await deposit(store, 'unsafe')).kind === 'unknown');
  const refused = await deposit(store, 'unsafe');
  expect(refused).toMatchObject({ cause: expect.any(StoreUnsafeError) });
  await ask('CONFIG', 'SET', 'appendfsync', 'always');
  expect(await deposit(store, 'right')).toMatchObject({ kind: 'done' });
});

test('commands wait for a connection that is being made again, however many', async () => {
  let failures = 0;
  const warn = (): void => {
    failures += 1;
  };
  const store = await open({ url, logger: { info: () => undefined, warn, error: warn } });
  await proxy.refuse();
  await until('the store to know of it', () => failures > 0);
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): unknown => warnings.push(message);
  process.on('warning', onWarning);
  cleanup.after(onWarning, (listener) => process.off('warning', listener));
  const references = Array.from({ length: 50 }, (_, index) => `waits ${index}`);
  const waiting = references.map((reference) => deposit(store, reference));
  await proxy.pass();
  for (const result of await Promise.all(waiting)) expect(result.kind).toBe('done');
  expect(warnings).toEqual([]);
});

test('a connection that has gone silent is given up, and another is made', async () => {
  await open({ url });
  const store = cleanup.after(createRedisStore({ ...patience, url, commandTimeoutMs: 100 }));
  await store.ready();
  const { connections } = proxy.counters;
  proxy.blackhole({ deliver: false });
  expect(await deposit(store, 'lost')).toMatchObject({ kind: 'unknown' });
  await until('another connection', () => proxy.counters.connections > connections);
  await proxy.pass();
  await until('the store to work', async () => (await deposit(store, 'found')).kind === 'done');
});

test('a command that gets no answer is unknown within its time, also with a client that waits for ever', async () => {
  const client = cleanup.after(new Redis({ port: proxy.port, maxRetriesPerRequest: null }), (it) =>
    closeClient(it),
  );
  const clock = new LeapingClock();
  const store = await open({ client, clock });
  proxy.blackhole();
  const waiting = deposit(store, 'late');
  await until('the answer to be lost', () => proxy.counters.bytesLost > 0);
  clock.leap(patience.commandTimeoutMs);
  const result = await waiting;
  expect(result).toMatchObject({ kind: 'unknown', cause: expect.any(StoreUnavailableError) });
  await proxy.pass();
  await until('the store to work', async () => (await deposit(store, 'late')).kind === 'done');
  const accounts = await store.rounds.accounts(player);
  expect(accounts).toMatchObject({ accounts: [{ real: 10_000n }] });
});

test('a store that is closed moves nothing more, though the client is still open', async () => {
  const client = cleanup.after(new Redis({ port: proxy.port }), closeClient);
  const store = await open({ client });
  await store.close();
  const result = await deposit(store, 'after');
  expect(result).toMatchObject({ kind: 'unknown', cause: { message: 'The store is closed.' } });
  expect(client.status).toBe('ready');
  expect(client.listenerCount('ready')).toBe(0);
  await expect(store.ready()).rejects.toThrow('The store is closed.');
});

test('closing ends commands in flight at once, as unknown', async () => {
  const store = await open({ url, commandTimeoutMs: 60_000 });
  const { held } = proxy.hold('replies');
  const underWay = deposit(store, 'under way');
  await held;
  await store.close();
  expect(await underWay).toMatchObject({ kind: 'unknown' });
});

test('closing ends at once the wait for a server that cannot be reached', async () => {
  await proxy.refuse();
  const store = cleanup.after(
    createRedisStore({ ...patience, init: true, url, connectTimeoutMs: 60_000 }),
  );
  const waiting = store.ready();
  const waitingCommand = deposit(store, 'waits');
  await store.close();
  await expect(waiting).rejects.toThrow('The store is closed.');
  expect(await waitingCommand).toMatchObject({ kind: 'unknown' });
});

test('no error that the store tells holds the password, however it is printed', async () => {
  await ask('CONFIG', 'SET', 'requirepass', 'right');
  const secretUrl = `redis://:hush-hush@127.0.0.1:${proxy.port}`;
  const client = cleanup.after(new Redis(secretUrl), closeClient);
  client.on('error', () => undefined); // on purpose
  for (const options of [{ url: secretUrl }, { client }]) {
    let failures = 0;
    const warn = (): void => {
      failures += 1;
    };
    const clock = new LeapingClock();
    const logger = { info: () => undefined, warn, error: warn };
    const store = cleanup.after(
      createRedisStore({ ...patience, init: true, ...options, clock, logger }),
    );
    const answers = Promise.allSettled([store.ready(), deposit(store, 'r')]);
    await until('the store to know of it', () => failures > 0);
    clock.leap(patience.connectTimeoutMs);
    const printed = inspect(await answers, { depth: 20, showHidden: true });
    expect(printed).toContain('WRONGPASS');
    expect(printed).not.toContain('hush');
  }
});
