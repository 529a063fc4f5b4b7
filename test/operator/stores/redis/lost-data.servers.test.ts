import { beforeEach, describe, expect, test } from '@jest/globals';

import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { unseenRound } from '../../../../lib/operator/gameround';
import {
  createRedisStore,
  initRedis,
  type RedisStoreOptions,
} from '../../../../lib/operator/stores/redis';
import { watchIntervalMs } from '../../../../lib/operator/stores/redis/connection/gate';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { LateTimer } from '../../../proof/faults/late-timer';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const round = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
const newPlayer = { ...player, balances: { real: '100' } };
const notMade =
  'Redis holds no store under rgs:settings: restore its data, or create a new store with `rgs-wallet init` or the option init.';
const lost = 'Redis has lost the store under rgs:settings: restore its data.';

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let watch: LateTimer;
let errors: object[];

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
  watch = new LateTimer(systemClock, watchIntervalMs);
  errors = [];
});

function open(options: RedisStoreOptions = {}): AccountStore {
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object, message: string) => void errors.push({ ...fields, message }),
  };
  const made = createRedisStore({
    ...patience,
    url: redis.url,
    logger,
    clock: watch.clock,
    ...options,
  });
  return cleanup.after(made);
}

/** What is noted of the store but for its processes. */
async function settings(): Promise<unknown> {
  const all = await withRedis(redis, (admin) => admin.hgetall('rgs:settings'));
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !/^(?:token|serving|retained) /.test(name)),
  );
}

function ask(...command: [string, ...string[]]): Promise<unknown> {
  return withRedis(redis, (admin) => admin.call(...command));
}

async function keys(): Promise<number> {
  return Number(await ask('DBSIZE'));
}

/** The error a promise ends with; undefined where it ends without. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('an empty Redis', () => {
  test('is refused and nothing is written, also after it was started again', async () => {
    for (const again of [false, true]) {
      if (again) await redis.restart();
      const store = open();
      const error = await failure(store.ready());
      expect(error).toBeInstanceOf(StoreUnsafeError);
      expect(error).toMatchObject({ message: notMade });
      expect(await store.players.openPlayer(newPlayer)).toMatchObject({
        kind: 'unknown',
        cause: { message: notMade },
      });
      await store.close();
    }
    expect(await keys()).toBe(0);
  });

  test('is made a store once, and is one without the option from then on', async () => {
    await open({ init: true }).ready();
    const made = await settings();
    await open({ init: true }).ready();
    await open().ready();
    expect(await settings()).toEqual(made);
  });

  test('initRedis creates a store in it, and changes nothing if there is one', async () => {
    expect(await initRedis({ url: redis.url, decimals: 2 })).toEqual({ made: true });
    const made = await settings();
    expect(await initRedis({ url: redis.url, decimals: 2 })).toEqual({ made: false });
    expect(await settings()).toEqual(made);
    await open({ decimals: 2 }).ready();
    await expect(initRedis({ url: redis.url, decimals: 3 })).rejects.toThrow(/has decimals 2/);
  });

  test('is made one store by many at once', async () => {
    const reports = await Promise.all(
      Array.from({ length: 8 }, () => initRedis({ url: redis.url })),
    );
    expect(reports.filter(({ made }) => made)).toHaveLength(1);
  });
});

test('a store whose rounds were written in an earlier format is refused, and nothing of it is touched', async () => {
  await ask('HSET', 'rgs:settings', 'format', '1', 'decimals', '4', 'buckets', '1024');
  await expect(open().ready()).rejects.toThrow(/has format 1; this store is set to 3/);
  expect(await settings()).toEqual({ format: '1', decimals: '4', buckets: '1024' });
});

describe('a Redis that loses its data while a store uses it', () => {
  const head = { ...unseenRound, version: 1, state: 'closed', gameCode: 'g' } as const;
  const debit = {
    kind: 'take',
    hash: 'h',
    currency: 'EUR',
    amount: 1n,
    bonusFirst: false,
  } as const;

  /** All that a store could answer with nothing, and so in a way that is final. */
  const questions: Readonly<Record<string, (store: AccountStore) => Promise<unknown>>> = {
    load: (store) => store.rounds.load(round, ['h']),
    commit: (store) =>
      store.rounds.commit(round, {
        before: unseenRound,
        after: head,
        records: [],
        movements: [debit],
      }),
    accounts: (store) => store.rounds.accounts(player),
    readPlayer: (store) => store.players.readPlayer(player),
    openPlayer: (store) => store.players.openPlayer(newPlayer),
    deposit: (store) => store.players.deposit({ ...player, amount: '1', reference: 'a' }),
    withdraw: (store) => store.players.withdraw({ ...player, amount: '1', reference: 'b' }),
    setBlocked: (store) => store.players.setBlocked(player, true),
    readRound: (store) => store.rounds.readRound(round),
    attention: async (store) => {
      for await (const entry of store.lists.attention('op')) return entry;
      return null;
    },
  };

  test.each(Object.entries(questions))(
    '%s answers unknown at once, and the error is logged',
    async (_, question) => {
      const store = open({ init: true });
      await store.ready();
      await store.players.openPlayer(newPlayer);
      await ask('FLUSHALL');
      const answer = await question(store).catch((cause: unknown) => ({ kind: 'unknown', cause }));
      expect(answer).toMatchObject({ kind: 'unknown', cause: expect.any(StoreUnsafeError) });
      expect(errors).toEqual([
        { reason: lost, message: 'Redis store refuses commands: server check failed' },
      ]);
      expect(await keys()).toBe(0);
    },
  );

  test('is not ready, and does not become ready by the option init', async () => {
    const store = open({ init: true });
    await store.ready();
    await ask('FLUSHALL');
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await failure(store.ready())).toMatchObject({ code: 'STOREUNSAFE', message: lost });
    }
    expect(await keys()).toBe(0);
  });

  test('is found out without any call', async () => {
    const store = open({ init: true });
    await store.ready();
    await ask('FLUSHALL');
    watch.fire();
    await watch.rearmed();
    expect(errors).toMatchObject([{ reason: lost }]);
  });

  test('is found out behind a new connection, and used again once it was restored', async () => {
    const store = open({ init: true });
    await store.ready();
    await store.players.openPlayer(newPlayer);
    const before = await withRedis(redis, (admin) => admin.hgetall('rgs:settings'));
    await ask('DEL', 'rgs:settings');
    await redis.restart();
    expect(await failure(store.ready())).toMatchObject({ code: 'STOREUNSAFE', message: lost });
    await ask('HSET', 'rgs:settings', ...Object.entries(before).flat());
    await store.ready();
    expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
  });

  test('does not count as the same store after another was created', async () => {
    const store = open({ init: true });
    await store.ready();
    await ask('FLUSHALL');
    expect(await initRedis({ url: redis.url })).toEqual({ made: true });
    const error = await failure(store.ready());
    expect(error).toBeInstanceOf(StoreUnsafeError);
    expect(error).toMatchObject({ message: expect.stringMatching(/another store .* than before/) });
    await open().ready();
  });
});

test('what was lost is not called unknown where the player was never there', async () => {
  const store = open({ init: true });
  await store.ready();
  expect(await store.rounds.accounts(player)).toEqual({ kind: 'known', accounts: null });
  expect(await store.rounds.readRound(round)).toBeNull();
  expect(errors).toEqual([]);
});
