import { beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { CashResult, AccountStore } from '../../../../lib/operator/wallet';
import { freePort } from '../../../servers/ports';
import { closeClient, withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
/** Makes a restart take a second or two: each key takes its time, and clients are heard meanwhile. */
const slowLoading = { 'key-load-delay': 20_000, 'loading-process-events-interval-bytes': 1_024 };

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let admin: Redis;
let storeClient: Redis;
let clock: LeapingClock;
let store: AccountStore;

beforeEach(async () => {
  const config = { 'busy-reply-threshold': 20, ...slowLoading };
  redis = cleanup.after(await startRedis({ config }));
  admin = cleanup.after(new Redis(redis.clientOptions), closeClient);
  admin.on('error', () => undefined); // the server goes down in one of the tests
  storeClient = cleanup.after(
    new Redis({ ...redis.clientOptions, enableReadyCheck: false, retryStrategy: () => 10 }),
    closeClient,
  );
  storeClient.on('error', () => undefined);
  clock = new LeapingClock();
  const options = { ...patience, client: storeClient, decimals: 0, clock };
  store = cleanup.after(createRedisStore({ init: true, ...options }));
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '0' } });
  await deposit('first');
});

function deposit(reference: string): Promise<CashResult> {
  return store.players.deposit({ ...player, amount: '1', reference });
}

async function balance(): Promise<bigint | undefined> {
  const result = await store.rounds.accounts(player);
  return result.kind === 'known' ? result.accounts?.[0]?.real : undefined;
}

/** How often the server has given an error. */
async function errors(code: string): Promise<number> {
  const info = await admin.info('errorstats');
  return Number(new RegExp(`errorstat_${code}:count=(\\d+)`).exec(info)?.[1] ?? 0);
}

interface Fault {
  readonly code: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

/** What a server answers before it runs a script, brought about and ended. */
const faults: readonly Fault[] = [
  {
    code: 'OOM',
    begin: () => admin.config('SET', 'maxmemory', '1'),
    end: () => admin.config('SET', 'maxmemory', '0'),
  },
  {
    code: 'READONLY',
    begin: async () => admin.replicaof('127.0.0.1', await freePort()),
    end: () => admin.replicaof('NO', 'ONE'),
  },
  {
    code: 'NOREPLICAS',
    begin: () => admin.config('SET', 'min-replicas-to-write', '1'),
    end: () => admin.config('SET', 'min-replicas-to-write', '0'),
  },
  {
    code: 'MISCONF',
    begin: async () => {
      await mkdir(join(redis.dir, 'dump.rdb')); // a snapshot cannot take the place of a folder
      await admin.config('SET', 'save', '3600 1');
      await admin.bgsave();
      await until('the snapshot to fail', async () =>
        (await admin.info('persistence')).includes('rdb_last_bgsave_status:err'),
      );
    },
    end: async () => {
      await rm(join(redis.dir, 'dump.rdb'), { recursive: true });
      await admin.bgsave();
    },
  },
  {
    code: 'NOPERM',
    begin: () => admin.call('ACL', 'SETUSER', 'default', '-evalsha'),
    end: () => admin.call('ACL', 'SETUSER', 'default', '+@all'),
  },
];

describe.each(faults)('while the server answers $code', ({ code, begin, end }) => {
  test('a command is repeated until that is over, and done once', async () => {
    await begin();
    const waiting = deposit('waits');
    await until('the fault to be answered', async () => (await errors(code)) > 1);
    await end();
    expect(await waiting).toMatchObject({ kind: 'done', replay: false });
    expect(await balance()).toBe(2n);
  });

  test('for longer than a command may take, the command is unknown, and has moved nothing', async () => {
    await begin();
    const waiting = deposit('waits');
    await until('the fault to be answered', async () => (await errors(code)) > 1);
    clock.leap(patience.commandTimeoutMs);
    const result = await waiting;
    await storeClient.time(); // what was still on its way has been answered too
    expect(result).toMatchObject({ kind: 'unknown', cause: { message: expect.any(String) } });
    expect(result.kind === 'unknown' && result.cause.message).toContain(code);
    await end();
    await until('the store to answer', async () => (await balance()) === 1n);
    expect(await deposit('waits')).toMatchObject({ kind: 'done', replay: false });
  });
});

test('a server that forgot the scripts is sent them again, in the same command', async () => {
  await admin.script('FLUSH');
  expect(await deposit('again')).toMatchObject({ kind: 'done', replay: false });
  expect(await balance()).toBe(2n);
});

test('a command is repeated while another script keeps the server busy', async () => {
  const busy = cleanup.after(new Redis(redis.clientOptions), closeClient);
  const endless = busy.eval('while true do end', 0).catch((error: unknown) => error);
  let answered = 0;
  const isBusy = async (): Promise<boolean> => {
    const answer = await admin.ping().catch((reason: unknown) => reason);
    const refuses = String(answer).includes('BUSY');
    if (refuses) answered += 1;
    return refuses;
  };
  await until('the server to be busy', isBusy);
  const waiting = deposit('waits');
  for (let turn = 0; turn < 5; turn += 1) expect(await isBusy()).toBe(true);
  await admin.script('KILL');
  expect(String(await endless)).toMatch(/killed by user/i);
  expect(await waiting).toMatchObject({ kind: 'done', replay: false });
  expect(await errors('BUSY')).toBeGreaterThan(answered);
});

test('a command is repeated while the server loads its data', async () => {
  for (let key = 0; key < 40; key += 1) await admin.set(`filling ${key}`, 'x'.repeat(2_000));
  await admin.bgrewriteaof();
  await until('the log to be rewritten', async () => {
    const info = await admin.info('persistence');
    return /aof_rewrite_in_progress:0/.test(info) && /aof_base_size:[1-9]\d{3}/.test(info);
  });
  const restarting = redis.restart();
  const bare = { clientOptions: { ...redis.clientOptions, enableReadyCheck: false } };
  await until('the server to load', async () => {
    const error = await withRedis(bare, (client) => client.get('k').catch(String));
    return error?.includes('LOADING');
  });
  expect(await deposit('waits')).toMatchObject({ kind: 'done', replay: false });
  await restarting;
  expect(await balance()).toBe(2n);
});
