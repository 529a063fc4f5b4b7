import { beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { unseenRound } from '../../../../lib/operator/gameround';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { encodeHead } from '../../../../lib/operator/stores/redis/codec/head';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { WalletEvent } from '../../../../lib/operator/wallet';
import { end, openingOf } from '../../../../lib/proof/contracts/changes';
import { closeClient } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const operatorId = 'op';
const cleanup = cleanupAfterEach();
let server: RedisServer;
let client: Redis;

beforeEach(async () => {
  server = cleanup.after(await startRedis());
  client = cleanup.after(new Redis(server.url), closeClient);
});

async function storeWith(events: readonly string[], eventsLimit = 1_000_000) {
  const options = { ...patience, url: server.url, init: true, events, eventsLimit };
  const store = cleanup.after(createRedisStore(options));
  await store.ready();
  return store;
}

type Store = Awaited<ReturnType<typeof storeWith>>;

/** The next page; acknowledged. */
async function page(store: Store, atMost: number): Promise<readonly WalletEvent[]> {
  for await (const batch of store.events.read({ consumer: 'a', operatorId, atMost })) {
    await batch.done();
    return batch.events;
  }
  return [];
}

const head = encodeHead({ ...unseenRound, version: 1, state: 'open' });

/** Pointers as commits of rounds write them, many at once. */
async function fill(player: string, count: number): Promise<void> {
  const stream = new Keys('rgs').events({ operatorId, playerId: player });
  const write = client.pipeline();
  for (let at = 0; at < count; at++) {
    write.xadd(stream, '*', 'e', `\nr:${player}:r${at}\n${head}`, 't', 'a0');
  }
  await write.exec();
}

test('a player who plays much keeps no other waiting, and what one page leaves the next ones bring', async () => {
  const store = await storeWith(['a']);
  await fill('busy', 1000);
  for (const player of ['ann', 'bob', 'cid']) await fill(player, 1);
  const first = await page(store, 40);
  expect(first).toHaveLength(40);
  expect([...new Set(first.map(({ playerId }) => playerId))].toSorted()).toEqual([
    'ann',
    'bob',
    'busy',
    'cid',
  ]);
  let left = 963;
  for (; left > 0; left -= (await page(store, 900)).length);
  expect(left).toBe(0);
  expect(await store.events.lag(operatorId)).toMatchObject([{ waiting: 0, oldestAt: null }]);
});

test('a page reads what it delivers, not as much from every script', async () => {
  const store = await storeWith(['a']);
  for (let at = 0; at < 200; at++) await fill(`p-${at}`, 10);
  await client.config('RESETSTAT');
  expect(await page(store, 100)).toHaveLength(100);
  const stats = await client.info('stats');
  const bytes = Number(/total_net_output_bytes:(\d+)/.exec(stats)?.[1]);
  expect(bytes).toBeLessThan(100 * 120 + 20_000);
});

test('where all buckets wait, a page takes its events from few of them, and every bucket has its turn', async () => {
  const store = await storeWith(['a']);
  const players = Array.from({ length: 600 }, (_, at) => `p-${at}`);
  for (const player of players) await fill(player, 20);
  await client.config('RESETSTAT');
  const served = new Set<string>();
  for (let pages = 0; pages < 16; pages++) {
    const events = await page(store, 240);
    expect(events).toHaveLength(240);
    for (const { playerId } of events) served.add(playerId);
  }
  // Each bucket of a page is trimmed once it is acknowledged.
  const stats = await client.info('commandstats');
  expect(Number(/cmdstat_xtrim:calls=(\d+)/.exec(stats)?.[1]) / 16).toBeLessThan(100);
  // A page is read by 16 scripts and acknowledged by as many, once the names of the consumers are read. Its events are
  // pointers: each of their rounds is a script too.
  const scriptCalls = [...stats.matchAll(/cmdstat_evalsha(?:_ro)?:calls=(\d+)/g)];
  const count = scriptCalls.reduce((sum, [, calls]) => sum + Number(calls), 0);
  expect(count / 16 - 240).toBeLessThan(40);
  const buckets = new Set(
    players.map((playerId) => new Keys('rgs').events({ operatorId, playerId })),
  );
  const ofServed = [...served].map((playerId) => new Keys('rgs').events({ operatorId, playerId }));
  expect(new Set(ofServed).size).toBe(buckets.size);
});

test('an event has the time of its process, whatever the ids of the stream say', async () => {
  const store = await storeWith(['a']);
  const player = { operatorId, playerId: 'p' };
  const stream = new Keys('rgs').events(player);
  await client.xadd(stream, '1-1', 'e', 'none');
  await client.call('XSETID', stream, `${Date.parse('2036-01-01T00:00:00Z')}-0`);
  await client.xdel(stream, '1-1');
  const before = Date.now();
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '1' } });
  await store.rounds.commit({ ...player, gameRound: 'r' }, openingOf([end('e')]));
  const [lag] = await store.events.lag(operatorId);
  const times = (await page(store, 10)).map(({ at }) => Date.parse(at));
  expect(times).toHaveLength(2);
  for (const at of [lag?.oldestAt ?? 0, ...times]) {
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  }
});

test('without a consumer an act sends no further key, argument or byte', () => {
  const account = { account: 'a', references: 'r', order: 'o', acts: 'p' };
  const cash = { ...account, reference: 'r', content: 'c', rest: 't', currency: 'EUR' };
  const move = { ...cash, balance: 'real', units: '1', place: '' };
  const extra = { stream: 's', event: '{}', at: 't' };
  expect(scripts.moveCash.sent({ ...move, extra: null })).toEqual([
    4,
    'a',
    'r',
    'o',
    'p',
    'r',
    'c',
    't',
    'EUR',
    'real',
    '1',
    '',
  ]);
  expect(scripts.moveCash.sent({ ...move, extra })).toEqual([
    5,
    'a',
    'r',
    'o',
    'p',
    's',
    'r',
    'c',
    't',
    'EUR',
    'real',
    '1',
    '',
    '{}',
    't',
  ]);
  const open = {
    ...account,
    currency: 'EUR',
    balance: '1',
    openings: ['#'],
    movements: ['m'],
    places: [''],
  };
  expect(scripts.openPlayer.sent({ ...open, extra: null })).toEqual([
    4,
    'a',
    'r',
    'o',
    'p',
    'EUR',
    '1',
    '#',
    'm',
    '',
  ]);
  expect(scripts.openPlayer.sent({ ...open, extra })).toEqual([
    5,
    'a',
    'r',
    'o',
    'p',
    's',
    'EUR',
    '1',
    '#',
    'm',
    '',
    '{}',
    't',
  ]);
});

test('where a process names a consumer that was forgotten, its commits keep to the limit', async () => {
  const store = await storeWith(['a'], 10);
  await store.events.forgetConsumer('a', [operatorId]);
  const stream = new Keys('rgs').events({ operatorId, playerId: 'p' });
  let number = 0;
  const lastText = async () => {
    const round = { operatorId, playerId: 'p', gameRound: `r${number++}` };
    await store.rounds.commit(round, openingOf([end('e')]));
    const [last] = await client.xrevrange(stream, '+', '-', 'COUNT', 1);
    return last?.[1][1] ?? '';
  };
  await until('a pointer', async () => (await lastText()).split('\n').length === 3);
  expect(await client.xlen(stream)).toBeGreaterThanOrEqual(10);
});
