import { randomUUID } from 'node:crypto';

import { beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { commitCall } from '../../../../lib/operator/stores/redis/codec/commit';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { RoundKey } from '../../../../lib/operator/wallet';
import type { Logger } from '../../../../lib/platform';
import { snapshotOf } from '../../../../lib/proof/contracts/case';
import {
  changeOf,
  end,
  give,
  openingOf,
  real,
  reverse,
  take,
} from '../../../../lib/proof/contracts/changes';
import { closeClient } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { unnamed, unnamedIn } from '../unnamed-consumers';
import { ofRounds } from '../../../../lib/proof/contracts/events/case';
import { cleanupAfterEach } from '../../../support/each-test';

const round: RoundKey = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
const cleanup = cleanupAfterEach();
let server: RedisServer;
let client: Redis;

beforeEach(async () => {
  server = cleanup.after(await startRedis());
  client = cleanup.after(new Redis(server.url), closeClient);
});

async function storeWith(events: readonly string[], logger?: Logger) {
  const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const observed = logger === undefined ? {} : { logger };
  const store = createRedisStore({ url: server.url, init: true, events, ...patience, ...observed });
  cleanup.after(store);
  await store.ready();
  // A store without consumers opens the player: what follows counts the events of rounds alone.
  const silent = createRedisStore({ url: server.url, serves: false, ...patience });
  await silent.players.openPlayer({ ...round, currency: 'EUR', balances: { real: '1' } });
  await silent.close();
  return store;
}

async function streams(): Promise<[string, number][]> {
  const keys = await client.keys('*:e');
  return Promise.all(keys.map(async (key) => [key, await client.xlen(key)]));
}

test('without a consumer a commit names no further key and writes nothing else', async () => {
  const store = await storeWith([]);
  const keys = await client.keys('*');
  await store.rounds.commit(round, openingOf([take('d', 1n)]));
  const added = (await client.keys('*')).filter((key) => !keys.includes(key));
  expect(added).toEqual([new Keys('rgs').round(round)]);
  const change = openingOf([take('d', 1n)]);
  const call = commitCall(new Keys('rgs'), round, change, 1);
  expect(scripts.commit.sent(call)[0]).toBe(2);
  const withEvent = commitCall(new Keys('rgs'), round, change, 1, { eventKind: 'event' });
  expect(call).toEqual({ ...withEvent, events: null });
});

test('an event is deleted once every declared consumer has acknowledged it, not before', async () => {
  const store = await storeWith(['a', 'b']);
  await store.rounds.commit(round, openingOf([take('d', 1n)]));
  await store.rounds.commit({ ...round, gameRound: 'other' }, openingOf([end('e')]));
  const lengths: number[] = [];
  for (const consumer of ['a', 'b']) {
    for await (const batch of store.events.read({ consumer, operatorId: 'op' })) {
      expect(ofRounds(batch.events).map(({ gameRound }) => gameRound)).toEqual(['r', 'other']);
      expect(await batch.done()).toBe(true);
      break;
    }
    lengths.push((await streams())[0]?.[1] ?? -1);
  }
  expect(lengths).toEqual([2, 0]);
});

test('forgetting the last consumer deletes what was kept for it', async () => {
  const store = await storeWith(['a']);
  await store.rounds.commit(round, openingOf([end('e')]));
  expect(await store.events.lag('op')).toMatchObject([{ consumer: 'a', waiting: 1 }]);
  expect(await store.events.forgetConsumer('a', ['op'])).toBe(true);
  expect(await store.events.lag('op')).toEqual([]);
  expect((await streams()).map(([, length]) => length)).toEqual([0]);
});

test('while one consumer is forgotten, no event of one that is declared meanwhile is deleted', async () => {
  const old = await storeWith(['old']);
  const rounds = Array.from(
    { length: 60 },
    (_, at): RoundKey => ({ ...round, playerId: `p${at}` }),
  );
  const forgetting = old.events.forgetConsumer('old', ['op']);
  const store = await storeWith(['new']);
  for (const one of rounds) await store.rounds.commit(one, openingOf([end('e')]));
  await forgetting;
  expect(await store.events.lag('op')).toMatchObject([{ consumer: 'new', waiting: 60 }]);
});

test('forgetting that was interrupted is finished by repeating it', async () => {
  const store = await storeWith(['a']);
  await store.rounds.commit(round, openingOf([end('e')]));
  await client.srem(new Keys('rgs').consumers(), 'a');
  expect(await store.events.forgetConsumer('a', ['op'])).toBe(false);
  expect((await streams()).map(([, length]) => length)).toEqual([0]);
});

test('a round, hashes and a void that are UUIDs arrive as they were, with what each moved', async () => {
  const store = await storeWith(['a']);
  const [gameRound, debit, credit] = Array.from({ length: 3 }, () => randomUUID()) as [
    string,
    string,
    string,
  ];
  const first = openingOf([take(gameRound, 2n), take(debit, 3n, { first: false })], {
    gameCode: 'a b%',
  });
  const named = { ...round, gameRound };
  expect((await store.rounds.commit(named, first)).kind).toBe('committed');
  const { head } = await snapshotOf(store, named);
  const then = changeOf(head, [reverse(debit, real(3n)), give(credit, real(1n))], {
    gameCode: 'a b%',
  });
  expect((await store.rounds.commit(named, then)).kind).toBe('committed');
  for await (const batch of store.events.read({ consumer: 'a', operatorId: 'op' })) {
    expect(
      ofRounds(batch.events).map((event) => [event.gameRound, event.version, event.gameCode]),
    ).toEqual([
      [gameRound, 1, 'a b%'],
      [gameRound, 2, 'a b%'],
    ]);
    const moved = ofRounds(batch.events).map(({ movements }) =>
      movements.map((one) => [one.hash, one.real]),
    );
    expect(moved).toEqual([
      [
        [gameRound, '-0.0002'],
        [debit, '-0.0003'],
      ],
      [
        [debit, '0.0003'],
        [credit, '0.0001'],
      ],
    ]);
    const types = ofRounds(batch.events).map(({ transactions }) =>
      transactions.map(({ type }) => type),
    );
    expect(types).toEqual([
      ['debit', 'debit'],
      ['void', 'credit'],
    ]);
    break;
  }
});

test('an event of a commit whose reply was lost is written once', async () => {
  const store = await storeWith(['a']);
  const change = openingOf([take('d', 1n)]);
  expect((await store.rounds.commit(round, change)).kind).toBe('committed');
  expect((await store.rounds.commit(round, change)).kind).toBe('stale');
  expect((await streams()).map(([, length]) => length)).toEqual([1]);
});

test('a store that names none of the declared consumers reports it once a start, and moves money', async () => {
  const { errors, logger } = unnamedIn();
  const store = await storeWith([], logger);
  expect(errors).toEqual([]);
  const naming = await storeWith(['b', 'a']);
  expect(await naming.events.declaredConsumers()).toEqual(['a', 'b']);
  await store.ready();
  await store.ready();
  expect(errors).toEqual([unnamed(['a', 'b'])]);
  expect((await store.rounds.commit(round, openingOf([take('d', 1n)]))).kind).toBe('committed');
  expect(await streams()).toEqual([]);
});

test('a store that names one of the declared consumers writes events for all, and reports nothing', async () => {
  await storeWith(['a', 'b']);
  const { errors, logger } = unnamedIn();
  const store = await storeWith(['a'], logger);
  await store.rounds.commit(round, openingOf([take('d', 1n)]));
  expect(errors).toEqual([]);
  expect(await store.events.lag('op')).toMatchObject([{ waiting: 1 }, { waiting: 1 }]);
});

test('a server that does not tell the consumers is reported, and does not refuse the store', async () => {
  await client.call('ACL', 'SETUSER', 'default', '-smembers');
  const { errors, logger } = unnamedIn();
  const store = await storeWith([], logger);
  await store.ready();
  expect(errors).toEqual([
    [expect.objectContaining({ reason: expect.any(String) }), expect.stringContaining('consumers')],
  ]);
  expect((await store.rounds.commit(round, openingOf([take('d', 1n)]))).kind).toBe('committed');
});
