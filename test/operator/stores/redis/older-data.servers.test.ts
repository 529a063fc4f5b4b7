import { beforeEach, expect, test } from '@jest/globals';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { StoreUnsafeError } from '../../../../lib/operator/wallet';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { watchIntervalMs } from '../../../../lib/operator/stores/redis/connection/gate';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { LateTimer } from '../../../proof/faults/late-timer';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const newPlayer = { ...player, balances: { real: '100' } };
const olderData =
  'Redis holds older data under rgs:settings than before: acknowledged calls are lost. Restore the newer data and restart, or restart to continue without it.';

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let watch: LateTimer;
let errors: string[];

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
  watch = new LateTimer(systemClock, watchIntervalMs);
  errors = [];
});

function open(options: RedisStoreOptions = {}): AccountStore {
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (_: object, message: string) => void errors.push(message),
  };
  const common = { ...patience, url: redis.url, logger, clock: watch.clock };
  return cleanup.after(createRedisStore({ ...common, ...options }));
}

/** The store of the tests, with a player in it and its token. */
async function opened(options: RedisStoreOptions = {}): Promise<AccountStore> {
  const store = open({ init: true, ...options });
  await store.ready();
  expect((await store.players.openPlayer(newPlayer)).kind).toBe('opened');
  await renewed(0);
  return store;
}

/** The times of the tokens that the server holds, the latest last. */
function renewals(server: RedisServer = redis): Promise<number[]> {
  return withRedis(server, async (admin) => {
    const fields = Object.entries(await admin.hgetall('rgs:settings'));
    const times = fields.flatMap(([name, at]) => (name.startsWith('token ') ? [Number(at)] : []));
    return times.toSorted((one, other) => one - other);
  });
}

/** Resolves to the latest time of a token once it is after another. */
async function renewed(after: number): Promise<number> {
  let latest = 0;
  await until('a token to be renewed', async () => {
    latest = (await renewals()).at(-1) ?? 0;
    return latest > after;
  });
  return latest;
}

async function copyOfData(server: RedisServer = redis): Promise<string> {
  const copy = join(redis.dir, 'copy');
  await cp(join(server.dir, 'appendonlydir'), copy, { recursive: true });
  return copy;
}

/** Starts the server again over the data that it had when the copy was made. */
async function comeBackWith(copy: string): Promise<void> {
  await redis.kill9();
  const data = join(redis.dir, 'appendonlydir');
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await redis.restart();
}

/** Brings the server back without what a process has used since, which had reconnected meanwhile. */
async function loseTheLatest(store: AccountStore): Promise<void> {
  const before = await renewed(0);
  const copy = await copyOfData();
  await redis.restart();
  await store.ready(); // on a new connection
  await renewed(before);
  await store.ready();
  const deposit = { ...player, amount: '1000', reference: 'acknowledged' };
  expect((await store.players.deposit(deposit)).kind).toBe('done');
  await comeBackWith(copy);
}

/** The error a promise ends with; undefined where it ends without. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function isRefused(store: AccountStore): Promise<void> {
  const error = await failure(store.ready());
  expect(error).toBeInstanceOf(StoreUnsafeError);
  expect(error).toMatchObject({ message: olderData });
  expect(await store.rounds.accounts(player)).toMatchObject({ kind: 'unknown', cause: error });
}

test('older data are refused by a process that has used newer ones, whoever connects since, until it is restarted', async () => {
  const store = await opened();
  await loseTheLatest(store);
  await isRefused(store);
  const report = open({ serves: false });
  for await (const books of report.players.books?.() ?? []) expect(books.currency).toBe('EUR');
  const another = open();
  await another.ready();
  expect(await another.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
  await isRefused(store);
});

test('data that came back newer are refused too once older ones were found', async () => {
  const store = await opened();
  const newer = await copyOfData();
  await loseTheLatest(store);
  await isRefused(store);
  await comeBackWith(newer);
  await isRefused(store);
});

test('a backup from before the latest look is refused under a running process: each look renews its token', async () => {
  const store = await opened();
  const before = await renewed(0);
  const copy = await copyOfData();
  watch.fire();
  await watch.rearmed();
  expect(await renewed(0)).toBeGreaterThan(before);
  await comeBackWith(copy);
  await isRefused(store);
  expect(errors).toContain('Redis store refuses commands: server check failed');
});

test('a failover that lost nothing is not refused: a token counts once the replicas have confirmed it', async () => {
  const replicaof = `127.0.0.1 ${redis.port}`;
  const replica = cleanup.after(await startRedis({ config: { replicaof } }));
  const store = open({ init: true, waitReplicas: 1, commandTimeoutMs: 2_000 });
  await until('the replica to confirm', async () => {
    const { kind } = await store.players.openPlayer(newPlayer);
    return kind !== 'unknown';
  });
  watch.fire(); // the opening may have come before the replica
  await watch.rearmed();
  const confirmed = await renewed(0);
  await until('the log of the replica', () =>
    withRedis(replica, async (admin) => /aof_rewrite_in_progress:0/.test(await admin.info())),
  );
  await replica.kill9();
  await redis.restart();
  await store.ready(); // without a replica that could confirm its opening
  await renewed(confirmed);
  await store.ready();
  await comeBackWith(await copyOfData(replica));
  await store.ready();
  expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
});

test('data as old as the latest look are used', async () => {
  const store = await opened();
  await comeBackWith(await copyOfData());
  await store.ready();
});

test('with acceptOlderData a process goes on with older data, and each time it is logged', async () => {
  const store = await opened({ acceptOlderData: true });
  await loseTheLatest(store);
  await store.ready();
  expect(await store.rounds.accounts(player)).toMatchObject({ accounts: [{ real: 1_000_000n }] });
  expect(errors).toEqual([
    'the store continues with older data, in which acknowledged calls are missing: acceptOlderData is set',
  ]);
});

test('what only reads writes no token', async () => {
  await (await opened()).close();
  const before = await renewals();
  const report = open({ serves: false });
  await report.ready();
  watch.fire();
  await watch.rearmed();
  await report.close();
  expect(await renewals()).toEqual(before);
});

test('the newest hundred tokens are kept', async () => {
  const store = open({ init: true });
  await store.ready();
  const former = Array.from({ length: 150 }, (_, at) => [`token former ${at}`, String(at + 1)]);
  await withRedis(redis, (admin) => admin.hset('rgs:settings', ...former.flat()));
  watch.fire();
  await watch.rearmed();
  expect(await renewals()).toHaveLength(100);
  expect((await renewals())[0]).toBe(52);
});
