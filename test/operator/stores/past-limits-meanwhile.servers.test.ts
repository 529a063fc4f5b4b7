import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { Executor as PostgresExecutor } from '../../../lib/operator/stores/postgres/connections/executor';
import { functions } from '../../../lib/operator/stores/postgres/schema/functions';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { Keys } from '../../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../../lib/operator/stores/redis/commands/scripts';
import { Executor as RedisExecutor } from '../../../lib/operator/stores/redis/connection/executor';
import type { FullStore, LimitOrder, LimitResult } from '../../../lib/operator/wallet';
import { credit, debit } from '../../../lib/proof/contracts/repairs/round-play';
import { call, Wall } from '../../proof/limits/case';
import { Cleanup } from '../../servers/cleanup';
import { closeClient } from '../../servers/redis/client';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';

/** What other processes do between the steps of an order for a limit that counts from history (P18). */
const player = { operatorId: 'op', playerId: 'p' };
const order: LimitOrder = { kind: 'loss', currency: 'EUR', window: 'day', amount: { units: 90n } };
const wall = new Wall();
const cleanup = new Cleanup();
let redis: RedisServer;
let postgres: PostgresServer;
let namespaces = 0;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
});

afterEach(() => cleanup.run());

afterAll(() => Promise.all([redis.stop(), postgres.stop()]));

/** Two stores over the same data, as of two processes. */
async function twoOver(kind: 'Redis' | 'PostgreSQL'): Promise<readonly [FullStore, FullStore]> {
  const [clock] = wall.clocks;
  const past = { history: true, limitsFrom: 'history', retentionMs: 32 * 86_400_000 } as const;
  const options = { ...patience, ...past, clock, init: true, acceptMixed: true };
  const namespace = `meanwhile-${namespaces++}`;
  const url = kind === 'Redis' ? redis.url : await postgres.createDatabase();
  const open = async (): Promise<FullStore> => {
    const store: FullStore =
      kind === 'Redis'
        ? createRedisStore({ ...options, url, namespace })
        : createPostgresStore({ ...options, url });
    await cleanup.after(store, (one) => one.close()).ready();
    return store;
  };
  const both = [await open(), await open()] as const;
  await both[0].players.openPlayer({ ...player, currency: 'EUR', balances: { real: '100' } });
  wall.now += 3 * 86_400_000; // the lists of Redis have all rounds of these days
  return both;
}

const [written, ended] = [
  [scripts.setLimit, functions.setLimit],
  [scripts.endReading, functions.endReading],
] as const;

/** What is done before the next step of a kind is sent. */
const waiting = new Map<readonly unknown[], () => Promise<unknown>>();
const before = (step: readonly unknown[], work: () => Promise<unknown>): unknown =>
  waiting.set(step, work);

for (const { prototype } of [RedisExecutor, PostgresExecutor]) {
  const run = prototype.run as (...values: unknown[]) => Promise<unknown>;
  const running = async function (this: unknown, ...values: unknown[]): Promise<unknown> {
    for (const [step, work] of waiting) {
      if (!step.includes(values[0])) continue;
      waiting.delete(step);
      await work();
    }
    return run.apply(this, values);
  };
  Object.assign(prototype, { run: running });
}

const play = (store: FullStore, gameRound: string, ...calls: Parameters<typeof call>[2][]) =>
  calls.reduce<Promise<unknown>>(
    (last, one) =>
      last.then(() => call({ store, wall, clock: wall.clocks[0] }, { ...player, gameRound }, one)),
    Promise.resolve(),
  );

const set = (store: FullStore, more: Partial<LimitOrder> = {}): Promise<LimitResult> =>
  store.players.setLimit(player, { ...order, ...more });

test.each(['Redis', 'PostgreSQL'] as const)(
  'in %s a limit of a week does not take over a bound that one of the day has meanwhile',
  async (kind) => {
    const [one, other] = await twoOver(kind);
    await play(one, 'r', [debit('d', 40n, true), credit('c', 30n)]);
    await set(one);
    // Meanwhile it is lifted and set again with the same terms, by a process that ends before its count is exact.
    before(written, async () => {
      await set(other, { amount: null });
      before(ended, () => Promise.reject(new Error('the process ended')));
      expect(await set(other)).toMatchObject({ kind: 'unknown' });
    });
    expect(await set(one, { window: 'week' })).toEqual({ kind: 'done' });
    const read = await one.players.limits(player);
    expect(read).toMatchObject({ limits: [{ window: 'day', used: 10n }, { used: 10n }] });
  },
);

test('in Redis a round that is played while a limit is set counts, also under the name of one that has expired', async () => {
  const [store, other] = await twoOver('Redis');
  const client = cleanup.after(new Redis(redis.url), closeClient);
  await play(store, 'kept', [debit('a', 5n, true)]);
  await play(store, 'gone', [debit('b', 7n, true), { type: 'end', hash: 'e' }]);
  expect(
    await client.del(
      new Keys(`meanwhile-${namespaces - 1}`).round({ ...player, gameRound: 'gone' }),
    ),
  ).toBe(1);
  before(written, () => play(other, 'gone', [debit('b', 60n, true)]));
  expect(await set(store)).toEqual({ kind: 'done' });
  expect(await store.players.limits(player)).toMatchObject({ limits: [{ used: 65n }] });
});
