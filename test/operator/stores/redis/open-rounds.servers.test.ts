import { beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

import type { RoundHead } from '../../../../lib/operator/gameround';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { commitCall } from '../../../../lib/operator/stores/redis/codec/commit';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { RoundKey, WalletStore } from '../../../../lib/operator/wallet';
import { changeOf, end, openingOf } from '../../../../lib/proof/contracts/changes';
import { closeClient } from '../../../servers/redis/client';
import { commandsSeen } from '../../../servers/redis/commands-seen';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'ann' };
const now = 1_700_000_000_000;
const keys = new Keys('rgs');
const index = keys.open(player);
const cleanup = cleanupAfterEach();
let server: RedisServer;
let client: Redis;

beforeEach(async () => {
  server = cleanup.after(await startRedis());
  client = cleanup.after(new Redis(server.url), closeClient);
});

async function open(options: RedisStoreOptions = {}) {
  const store = createRedisStore({ url: server.url, init: true, ...patience, ...options });
  cleanup.after(store);
  await store.ready();
  return store;
}

/** The player's round after one more commit. */
async function put(
  store: WalletStore,
  after: Partial<RoundHead>,
  gameRound: string = randomUUID(),
): Promise<RoundKey> {
  const round: RoundKey = { ...player, gameRound };
  const loaded = await store.rounds.load(round, []);
  if (loaded.kind !== 'loaded') throw new Error('the store must answer');
  const { head } = loaded.snapshot;
  const change = changeOf(head, [end(`end ${head.version}`)], { changedAt: now, ...after });
  expect((await store.rounds.commit(round, change)).kind).toBe('committed');
  return round;
}

async function listed(store: WalletStore, before = now): Promise<string[]> {
  const names: string[] = [];
  for await (const { gameRound } of store.lists.openRounds?.(player.operatorId, before) ?? []) {
    names.push(gameRound);
  }
  return names.toSorted();
}

test('without the option no commit names the index or writes it, and nothing is listed', async () => {
  const store = await open();
  const round = await put(store, { state: 'open' });
  expect(await client.exists(index)).toBe(0);
  expect(store.lists.openRounds).toBeUndefined();
  const change = openingOf([end('e')]);
  expect(commitCall(keys, round, change, 1)).toMatchObject({ history: null, open: null });
});

test('a process that has not set the option lists what others do', async () => {
  const early = await open();
  const writer = await open({ history: true });
  const { gameRound } = await put(writer, { state: 'open' });
  const reader = await open();
  expect(await listed(reader)).toEqual([gameRound]);
  expect(early.lists.openRounds).toBeUndefined();
  await early.ready();
  expect(await listed(early)).toEqual([gameRound]);
});

test('a round that a process which does not know of the history yet ended or reopened is not listed as it was, and the index forgets it', async () => {
  const other = await open();
  const store = await open({ history: true });
  const [ended, reopened, kept] = ['ended', randomUUID(), 'kept'];
  for (const name of [ended, reopened, kept]) await put(store, { state: 'open' }, name);
  await put(other, { state: 'closed' }, ended);
  await put(other, { state: 'cancelled' }, reopened);
  await put(other, { state: 'open', changedAt: now + 5 }, reopened);
  expect(await client.zcard(index)).toBe(3);
  expect(await listed(store)).toEqual([kept]);
  expect(await client.zcount(index, '-inf', now)).toBe(1);
  expect(await listed(store, now + 5)).toEqual([kept, reopened].toSorted());
});

test('a round that was deleted is not listed, and the index forgets it', async () => {
  const other = await open({ retentionMs: 1 });
  const store = await open({ history: true, retentionMs: 1 });
  await put(store, { state: 'open' }, 'gone');
  const round = await put(other, { state: 'closed' }, 'gone');
  await until('it is deleted', async () => (await client.exists(keys.round(round))) === 0);
  expect(await client.zcard(index)).toBe(1);
  expect(await listed(store)).toEqual([]);
  expect(await client.exists(index)).toBe(0);
});

test('whoever may only read lists the rounds that are open, and no others', async () => {
  const other = await open();
  const store = await open({ history: true });
  await put(store, { state: 'open' }, 'kept');
  await put(store, { state: 'open' }, 'ended');
  await put(other, { state: 'closed' }, 'ended');
  await client.call('acl', 'setuser', 'reader', 'on', '>secret', '~*', '+@all', '-zrem', '-zadd');
  const url = server.url.replace('redis://', 'redis://reader:secret@');
  expect(await listed(await open({ url, init: false, serves: false }))).toEqual(['kept']);
  expect(await client.zcard(index)).toBe(2);
});

test('a round that was open when the option was set is listed from its next commit on', async () => {
  await put(await open(), { state: 'open', changedAt: now - 7 }, 'early');
  const store = await open({ history: true });
  expect(await listed(store)).toEqual([]);
  await put(store, { state: 'open', changedAt: now - 7 }, 'early');
  expect(await listed(store, now - 8)).toEqual([]);
  expect(await listed(store, now - 7)).toEqual(['early']);
});

test('a commit that runs twice, and late, changes nothing', async () => {
  const store = await open({ history: true });
  const round = await put(store, { state: 'open' }, 'round');
  const change = openingOf([end('e')], { changedAt: now });
  const sent = scripts.commit.sent(commitCall(keys, round, change, 1, { lists: true }));
  const run = () => client.call('evalsha', scripts.commit.sha, ...sent);
  expect(await run()).toBe('stale');
  await put(store, { state: 'closed' }, 'round');
  expect(await run()).toBe('stale');
  expect(await client.exists(index)).toBe(0);
});

test('a commit costs one command more where the round is open after it or was before, and otherwise none', async () => {
  const store = await open({ history: true });
  const costOf = async (state: 'open' | 'closed', gameRound: string) => {
    const { trips, inner } = await commandsSeen(server, () => put(store, { state }, gameRound));
    const named = inner.filter(([, key]) => key === index).map(([command]) => command);
    return [trips.length, ...named];
  };
  const name = randomUUID();
  expect(await costOf('open', name)).toEqual([2, 'zadd']);
  expect(await costOf('open', name)).toEqual([2, 'zadd']);
  expect(await costOf('closed', name)).toEqual([2, 'zrem']);
  expect(await costOf('closed', name)).toEqual([2]);
  expect(await costOf('closed', 'at once')).toEqual([2]);
  expect(await client.exists(index)).toBe(0);
});

test('a page costs what is listed, also where 100,000 rounds are open for less', async () => {
  const store = await open({ history: true });
  for (const name of ['one', 'two', 'three']) await put(store, { state: 'open' }, name);
  const few = await commandsSeen(server, () => listed(store));
  for (let first = 0; first < 100_000; first += 1_000) {
    const entries = Array.from({ length: 1_000 }, (_, at) => [now + 1, `r:ann:${first + at}`]);
    await client.zadd(index, ...entries.flat());
  }
  const many = await commandsSeen(server, () => listed(store));
  expect(many.inner.length).toBe(few.inner.length);
  expect(many.trips.length).toBe(few.trips.length);
  expect(few.trips.length).toBeLessThanOrEqual(17);
});

test('rounds of one millisecond are listed once each, however many they are and whichever leave meanwhile', async () => {
  const store = await open({ history: true });
  const names = Array.from({ length: 700 }, (_, at) => `round ${String(at).padStart(3, '0')}`);
  for (const [at, name] of names.entries()) {
    await put(store, { state: 'open', changedAt: now + (at < 100 ? 0 : 1) }, name);
  }
  const other = await open();
  const told: string[] = [];
  for await (const { gameRound } of store.lists.openRounds?.(player.operatorId, now + 1) ?? []) {
    told.push(gameRound);
    const at = told.length;
    if (at % 7 === 0) await put(other, { state: 'closed' }, gameRound);
  }
  expect(told.toSorted()).toEqual(names);
  expect(await listed(store, now + 1)).toHaveLength(600);
});
