import { beforeEach, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { commitCall, packTexts } from '../../../../lib/operator/stores/redis/codec/commit';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { RoundKey, FullStore } from '../../../../lib/operator/wallet';
import { changeOf, end, openingOf } from '../../../../lib/proof/contracts/changes';
import { closeClient } from '../../../servers/redis/client';
import { commandsSeen } from '../../../servers/redis/commands-seen';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'ann' };
const keys = new Keys('rgs');
const { list, kept } = keys.history(player);
const cleanup = cleanupAfterEach();
let server: RedisServer;
let client: Redis;

beforeEach(async () => {
  server = cleanup.after(await startRedis());
  client = cleanup.after(new Redis(server.url), closeClient);
});

async function open(options: RedisStoreOptions = {}) {
  const own = { acceptMixed: true, ...patience, ...options }; // some have another retention
  const store = createRedisStore({ url: server.url, init: true, ...own });
  cleanup.after(store);
  await store.ready();
  return store;
}

type Store = FullStore;

async function play(store: Store, state: 'open' | 'closed', gameRound: string = randomUUID()) {
  const round: RoundKey = { ...player, gameRound };
  expect((await store.rounds.commit(round, openingOf([end('e')], { state }))).kind).toBe(
    'committed',
  );
  return round;
}

/** Closes a round that is open. */
async function close(store: Store, round: RoundKey): Promise<void> {
  const loaded = await store.rounds.load(round, []);
  if (loaded.kind !== 'loaded') throw new Error('the round must be known');
  const change = changeOf(loaded.snapshot.head, [end('late')], { state: 'closed' });
  expect((await store.rounds.commit(round, change)).kind).toBe('committed');
}

test('a process without the option keeps the history of a store that has one, so no list outlasts its rounds', async () => {
  const listing = await open({ history: true });
  const other = await open();
  const round = await play(listing, 'open');
  await close(other, round);
  expect(await client.exists(kept)).toBe(0);
  expect(await client.pttl(list)).toBeGreaterThan(0);
  expect(await other.history.rounds(player)).toMatchObject({
    rounds: [{ gameRound: round.gameRound }],
  });
});

test('without the option a commit names no further key, writes nothing else, and there is no history', async () => {
  const store = await open();
  const round = await play(store, 'open');
  expect(await client.keys('*')).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/:[hl]:/)]),
  );
  expect(await client.hget(keys.settings(), 'history')).toBeNull();
  expect(await store.history.rounds(player)).toEqual({ kind: 'off' });
  expect(await store.history.findRound({ ...player, hash: 'e' })).toEqual({ kind: 'off' });
  const change = openingOf([end('e')]);
  const listed = commitCall(keys, round, change, 1, { lists: true });
  const fields = String(listed.fields);
  const [name, value] = fields.split('\0').slice(-3);
  expect([name, value]).toEqual(['b1', expect.stringMatching(/^\w+\/\/\/$/)]);
  const unlisted = packTexts(
    fields
      .slice(fields.indexOf('\n') + 1)
      .split('\0')
      .slice(0, -3),
  );
  const call = commitCall(keys, round, change, 1);
  expect(call).toEqual({ ...listed, fields: unlisted, history: null, open: null });
  expect(scripts.commit.sent(call)[0]).toBe(2);
});

test.each([1, 'yes', null])('history is true or false, and not %p', (history) => {
  const options = { url: 'redis://127.0.0.1:1', history } as unknown as RedisStoreOptions;
  expect(() => createRedisStore(options)).toThrow(new TypeError('history must be true or false'));
});

test('a process that has not set the option reads what others list', async () => {
  const writer = await open({ history: true });
  const { gameRound } = await play(writer, 'closed');
  const reader = await open();
  expect(await reader.history.rounds(player)).toMatchObject({
    kind: 'known',
    rounds: [{ gameRound }],
  });
});

test('a commit with a history costs no further trip', async () => {
  const store = await open({ history: true });
  await play(store, 'closed');
  const opened = await commandsSeen(server, () => play(store, 'open', 'one'));
  expect(opened.trips).toEqual(['evalsha']);
});

test('a round costs 28 to 33 bytes, whatever the player has', async () => {
  const store = await open({ history: true });
  let rounds = 0;
  for (const count of [100, 1_000, 5_000]) {
    while (rounds < count) {
      await Promise.all(Array.from({ length: 100 }, () => play(store, 'closed')));
      rounds += 100;
    }
    const bytes = Number(await client.memory('USAGE', list, 'SAMPLES', 0));
    expect(bytes / count).toBeGreaterThan(28);
    expect(bytes / count).toBeLessThan(33);
  }
});

test('the list goes with the last of its rounds, unless one is kept for ever', async () => {
  const store = await open({ history: true, retentionMs: 300 });
  const round = await play(store, 'open');
  await play(store, 'closed');
  expect(await client.pttl(list)).toBe(-1);
  expect((await client.hkeys(kept)).filter((name) => name !== '')).toHaveLength(1);
  await until('the closed round is deleted', async () => {
    const page = await store.history.rounds(player);
    return page.kind === 'known' && page.rounds.length === 1;
  });
  expect(await store.history.rounds(player)).toMatchObject({
    rounds: [{ gameRound: round.gameRound }],
  });
  await close(store, round);
  await until('nothing is left', async () => (await client.keys('*:[hlru]:*')).length === 0);
});

test('a list lives as long as the round that lives longest, also where the retention was shortened', async () => {
  const long = await open({ history: true, retentionMs: 3_600_000 });
  await play(long, 'closed');
  const short = await open({ history: true, retentionMs: 1_000 });
  await play(short, 'closed');
  expect(await client.pttl(list)).toBeGreaterThan(3_000_000);
});

test('a list lives as long as a round of a longer retention, also once another was kept for ever', async () => {
  const long = await open({ history: true, retentionMs: 3_600_000 });
  await play(long, 'closed');
  const round = await play(long, 'open');
  const short = await open({ history: true, retentionMs: 1_000 });
  await close(short, round);
  expect(await client.pttl(list)).toBeGreaterThan(3_000_000);
  expect(await client.exists(kept)).toBe(0);
});

test('a list lives as long as a round that was kept twice as long for a consumer that is declared no more', async () => {
  const options = { history: true, retentionMs: 3_600_000 };
  const told = await open({ ...options, events: ['bridge'], eventsLimit: 1 });
  const round = await play(told, 'open');
  await until('rounds are kept twice as long', async () => {
    const { gameRound } = await play(told, 'closed');
    return (await client.pttl(keys.round({ ...player, gameRound }))) > 3_700_000;
  });
  await told.events.forgetConsumer('bridge', [player.operatorId]);
  await close(await open(options), round);
  expect(await client.pttl(list)).toBeGreaterThan(3_700_000);
});

test('a list never goes before a round of it, nor stays longer than its rounds were to', async () => {
  const retentions = [3_600_000, 7_200_000, 10_800_000];
  const stores = await Promise.all(
    retentions.map((retentionMs) => open({ history: true, retentionMs })),
  );
  const act = fc.record({
    store: fc.nat(2),
    at: fc.nat(3),
    state: fc.constantFrom('open' as const, 'closed' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const rounds = [0, 1, 2, 3].map((at) => ({ ...player, gameRound: `round ${at}` }));
      const named = rounds.map((round) => keys.round(round));
      await client.del(list, kept, ...named);
      let latest = 0;
      for (const [step, { store, at, state }] of acts.entries()) {
        const [writer, round] = [stores[store], rounds[at]];
        if (writer === undefined || round === undefined) throw new Error('it is drawn of them');
        const loaded = await writer.rounds.load(round, []);
        if (loaded.kind !== 'loaded') throw new Error('the store must answer');
        const change = changeOf(loaded.snapshot.head, [end(`end ${step}`)], { state });
        expect((await writer.rounds.commit(round, change)).kind).toBe('committed');
        const [lasts, ...ends] = await Promise.all(
          [list, ...named].map((key) => client.pexpiretime(key)),
        );
        latest = Math.max(latest, ...ends);
        if (ends.includes(-1)) expect(lasts).toBe(-1);
        else expect(lasts).toBe(latest);
      }
    }),
    { numRuns: 60 },
  );
});

test('deleted rounds leave the list of a player who plays on, also behind many that are kept for ever', async () => {
  const store = await open({ history: true });
  for (let made = 0; made < 100; made++) await play(store, 'open');
  for (let made = 0; made < 400; made++) {
    const round = await play(store, 'closed');
    await client.del(keys.round(round));
  }
  await until('the list is short', async () => {
    for (let made = 0; made < 32; made++) {
      const round = await play(store, 'closed');
      await client.del(keys.round(round));
    }
    return (await client.llen(list)) < 250;
  });
  const page = await store.history.rounds(player, { limit: 200 });
  expect(page).toMatchObject({ kind: 'known', rounds: { length: 100 }, next: null });
});

test('a round that is written again after its expiry is listed once, as the newest', async () => {
  const store = await open({ history: true });
  const round = await play(store, 'closed', 'again');
  await play(store, 'open', 'between');
  await client.del(keys.round(round));
  await play(store, 'closed', 'again');
  expect(await store.history.rounds(player)).toMatchObject({
    rounds: [{ gameRound: 'again' }, { gameRound: 'between' }],
    next: null,
  });
  await until('its first entry leaves the list', async () => {
    for (let made = 0; made < 32; made++) await play(store, 'closed');
    return (
      (await client.lrange(list, 0, -1)).filter((entry) => entry.endsWith('again')).length === 1
    );
  });
});

test('a page costs the page, also for a player with 100,000 rounds', async () => {
  const store = await open({ history: true });
  await play(store, 'open', 'first');
  for (let first = 2; first <= 100_000; first += 1_000) {
    const entries = Array.from({ length: 1_000 }, (_, at) => `${first + at}tround%20${first + at}`);
    await client.rpush(list, ...entries);
  }
  for (const number of [50_010, 50_011, 50_012, 99_990, 99_991]) {
    const key = keys.round({ ...player, gameRound: `round ${number}` });
    await client.call('copy', keys.round({ ...player, gameRound: 'first' }), key);
    await client.hset(key, 'n', number);
  }
  const first = await commandsSeen(server, async () => {
    expect(await store.history.rounds(player, { limit: 20 })).toMatchObject({
      rounds: { length: 2 },
    });
  });
  expect(first.trips.length).toBeLessThanOrEqual(20);
  expect(first.inner.length).toBeLessThan(300);
  const cursor = (await pageAt(store, 50_013)) ?? '';
  const deep = await commandsSeen(server, async () => {
    expect(await store.history.rounds(player, { limit: 3, cursor })).toMatchObject({
      rounds: [50_012, 50_011, 50_010].map((number) => ({ gameRound: `round ${number}` })),
    });
  });
  expect(deep.trips).toEqual(['evalsha', 'evalsha']);
  expect(deep.inner.length).toBeLessThanOrEqual(8);
});

/** A cursor whose page begins before the round with this number. */
async function pageAt(store: Store, number: number): Promise<string | null> {
  const page = await store.history.rounds(player, { limit: 1 });
  if (page.kind !== 'known' || page.next === null) throw new Error('there must be a next page');
  return page.next.replace(/\d+$/, String(number));
}

test('a page before any number has the rounds below it, wherever rounds are missing', async () => {
  const { sha } = scripts.readHistory;
  await client.script('LOAD', scripts.readHistory.source);
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 });
  const page = fc.record({
    before: fc.integer({ min: 1, max: 70 }),
    atMost: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(numbers, page, async (some, { before, atMost }) => {
      const entries = some.toSorted((one, other) => one - other).map((number) => `${number}tr`);
      await client.del(list);
      if (entries.length > 0) await client.rpush(list, ...entries);
      const below = entries.filter((entry) => Number.parseInt(entry, 10) < before);
      expect(await client.evalsha(sha, 1, list, before, atMost)).toEqual(below.slice(-atMost));
      expect(await client.evalsha(sha, 1, list, '', atMost)).toEqual(entries.slice(-atMost));
    }),
    { numRuns: 100 },
  );
});

test('a round that was not there when the option was set is found by its id alone', async () => {
  const before = await open();
  const round = await play(before, 'open');
  const store = await open({ history: true });
  await close(store, round);
  expect(await store.history.rounds(player)).toEqual({ kind: 'known', rounds: [], next: null });
  expect((await store.rounds.readRound(round))?.head.state).toBe('closed');
});

test('a request with a filter reads 2,000 rounds, and the next one the rest, without those added meanwhile', async () => {
  const store = await open({ history: true });
  const old = [await play(store, 'open', 'oldest'), await play(store, 'open', 'second')];
  for (let made = 0; made < 2000; made += 100) {
    await Promise.all(Array.from({ length: 100 }, () => play(store, 'closed')));
  }
  const first = await store.history.rounds(player, { state: 'open' });
  if (first.kind !== 'known') throw new Error('the rounds must be known');
  expect(first.rounds).toEqual([]);
  await play(store, 'open', 'newer');
  const second = await store.history.rounds(player, { state: 'open', cursor: first.next ?? '' });
  if (second.kind !== 'known') throw new Error('the rounds must be known');
  const names = second.rounds.map(({ gameRound }) => gameRound);
  expect(names).toEqual(old.map(({ gameRound }) => gameRound).toReversed());
  expect(second.next).toBeNull();
});
