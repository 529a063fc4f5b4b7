import { beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { systemClock } from '../../../../lib/platform';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { TotalsRound } from '../../../../lib/operator/wallet';
import { closeClient } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { cleanupAfterEach } from '../../../support/each-test';
import { patience } from '../../../support/patience';

const operatorId = 'op';
const dayMs = 86_400_000;
const cleanup = cleanupAfterEach();
let server: RedisServer;
let client: Redis;

beforeEach(async () => {
  server = cleanup.after(await startRedis());
  client = cleanup.after(new Redis(server.url), closeClient);
});

async function storeWithTotals(aheadMs = 0) {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const options = { ...patience, url: server.url, init: true, events: ['totals'], clock };
  const store = cleanup.after(createRedisStore(options));
  await store.ready();
  return store;
}

type Store = Awaited<ReturnType<typeof storeWithTotals>>;

let players = 0;

/** Counts an event after which this is kept. */
async function keep(store: Store, rounds: readonly TotalsRound[]): Promise<void> {
  const playerId = `player-${(players += 1)}`;
  const opened = { operatorId, playerId, currency: 'EUR', balances: { real: '1' } };
  await store.players.openPlayer(opened);
  for await (const batch of store.totals.batches({ operatorId })) {
    expect(await batch.add({ rows: [], rounds, gaps: [], since: 0 })).toBe(true);
    return;
  }
}

function roundOf(gameRound: string, text: string, expiresAt: number | null): TotalsRound {
  return { playerId: 'ann', gameRound, text, expiresAt };
}

function kept(store: Store, gameRounds: readonly string[], version: number) {
  const asked = gameRounds.map((gameRound) => ({ playerId: 'ann', gameRound, version }));
  return store.totals.rounds(operatorId, asked);
}

async function readsOfNames(): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(/cmdstat_hmget:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

test('rounds that are over share the keys of their day, which expire; those that are kept for ever share one', async () => {
  const store = await storeWithTotals();
  const at = Date.now() + 30 * dayMs;
  const names = Array.from({ length: 1000 }, (_, n) => `r${n}`);
  const last = (Math.floor(at / dayMs) + 1) * dayMs;
  await keep(store, [...names.map((name) => roundOf(name, name, at)), roundOf('open', 'o', null)]);
  const keys = await client.keys('rgs:{op:totals}:k*');
  expect(keys.length).toBeLessThanOrEqual(257);
  const ends = await Promise.all(keys.map((key) => client.call('PEXPIRETIME', key)));
  expect(ends.filter((end) => end === -1)).toHaveLength(1);
  for (const end of ends) expect(end === -1 || Math.abs(Number(end) - last) < 60_000).toBe(true);
  expect(await kept(store, [...names, 'open', 'other'], 2)).toEqual([...names, 'o', null]);
});

test('a process whose clock is ahead does not shorten what others keep', async () => {
  const [ahead, right] = [await storeWithTotals(2 * dayMs), await storeWithTotals()];
  const at = Date.now() + 10 * dayMs;
  await keep(ahead, [roundOf('r', 'first', at)]);
  await keep(right, [roundOf('r', 'last', at)]);
  const [key = ''] = await client.keys('rgs:{op:totals}:k:*');
  const last = (Math.floor(at / dayMs) + 1) * dayMs;
  expect(Number(await client.call('PEXPIRETIME', key))).toBeGreaterThanOrEqual(last);
});

test('of a round the last text is kept, whatever it was kept for before', async () => {
  const store = await storeWithTotals();
  const [soon, late] = [Date.now() + 2 * dayMs, Date.now() + 30 * dayMs];
  const expiries = [null, soon, soon, null, late, late, null];
  for (const [at, expiresAt] of expiries.entries()) {
    await keep(store, [roundOf('r', `text ${at}`, expiresAt)]);
    expect(await kept(store, ['r'], 2)).toEqual([`text ${at}`]);
  }
});

test('a round that begins now is looked for among those that are not over alone', async () => {
  const store = await storeWithTotals();
  await keep(store, [roundOf('open', 'o', null), roundOf('over', 'c', Date.now() + dayMs)]);
  const before = await readsOfNames();
  expect(await kept(store, ['open', 'over'], 1)).toEqual(['o', null]);
  expect((await readsOfNames()) - before).toBe(1);
});
