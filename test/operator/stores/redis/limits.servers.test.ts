import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { systemClock } from '../../../../lib/platform';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import type { LimitOrder } from '../../../../lib/operator/wallet';
import { openingOf, take } from '../../../../lib/proof/contracts/changes';
import {
  credit as creditOf,
  debit as debitOf,
} from '../../../../lib/proof/contracts/repairs/round-play';
import { call as callOf, Wall } from '../../../proof/limits/case';
import { Cleanup } from '../../../servers/cleanup';
import { closeClient } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';

const player = { operatorId: 'op', playerId: 'p' };
const account = new Keys('rgs').account(player);
const eur = { currency: 'EUR', real: 1_000_000n, bonus: null };
const order: LimitOrder = {
  kind: 'stake',
  currency: 'EUR',
  window: 'day',
  zone: 'Europe/Malta',
  amount: { units: 500n },
};
const cleanup = new Cleanup();
let server: RedisServer;
let client: Redis;
let store: ReturnType<typeof open>;

beforeEach(async () => {
  server = cleanup.after(await startRedis(), (one) => one.stop());
  client = cleanup.after(new Redis(server.url), closeClient);
  store = open();
  await store.ready();
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '100' } });
});

afterEach(() => cleanup.run());

/** A store of a process. */
function open() {
  const options = { ...patience, url: server.url, init: true, acceptMixed: true, history: true };
  const made = createRedisStore({ ...options, events: ['reports'] });
  return cleanup.after(made, (one) => one.close());
}

const debit = (gameRound: string, units: bigint, by = store) =>
  by.rounds.commit({ ...player, gameRound }, openingOf([take('d', units)]));

/** Writes over a part of the player's limits, as another release or a fault could. */
async function spoil(from: string, to: string): Promise<void> {
  const value = await client.hgetBuffer(account, '#limits');
  const bytes = value?.toString('latin1') ?? '';
  expect(bytes).toContain(from);
  await client.hset(account, '#limits', Buffer.from(bytes.replace(from, to), 'latin1'));
}

test('a player whose zone a process did not know plays there again once the limit is lifted', async () => {
  expect(await store.players.setLimit(player, order)).toEqual({ kind: 'done' });
  await spoil('Europe/Malta', 'Europe/Melta');
  const other = open();
  for (const by of [store, other]) expect((await debit('one', 1n, by)).kind).toBe('unknown');
  const deposit = { ...player, currency: 'EUR', amount: '1', reference: 'c' };
  expect((await other.players.deposit(deposit)).kind).toBe('unknown');
  const lift = { ...order, amount: null };
  expect(await store.players.setLimit(player, lift)).toEqual({ kind: 'done' });
  for (const [at, by] of [store, other].entries()) {
    expect((await debit(`two ${at}`, 1n, by)).kind).toBe('committed');
  }
});

test('limits that cannot be read let no debit and no deposit through', async () => {
  await store.players.setLimit(player, order);
  await client.hset(account, '#limits', 'EUR');
  expect((await debit('one', 1n)).kind).toBe('unknown');
  const cash = { ...player, currency: 'EUR', amount: '1' };
  expect((await store.players.deposit({ ...cash, reference: 'in' })).kind).toBe('unknown');
  expect((await store.players.limits(player)).kind).toBe('unknown');
  expect((await store.players.setLimit(player, order)).kind).toBe('unknown');
  const read = await store.players.readPlayer(player);
  expect(read).toMatchObject({ kind: 'known', accounts: [eur] });
  expect((await store.players.withdraw({ ...cash, reference: 'out' })).kind).toBe('done');
});

test.each(['1 tomorrow', '1 2 3', '0 3', ''])(
  'a block that cannot be read, "%s", stops debits, and is not told as none',
  async (value) => {
    await client.hset(account, 'blocked', value);
    expect(await debit('one', 1n)).toMatchObject({ kind: 'refused', reason: 'blocked' });
    expect((await store.players.readPlayer(player)).kind).toBe('unknown');
  },
);

test('a limit from history is refused for a window in which rounds may not be listed, and a day later set', async () => {
  const hourMs = 3_600_000;
  const monthMs = 32 * 24 * hourMs;
  let now = Date.UTC(2026, 10, 25, 12);
  const clock = { ...systemClock, now: () => now };
  const shared = { ...patience, url: server.url, namespace: 'late', init: true, clock } as const;
  const listed = { ...shared, retentionMs: monthMs, acceptMixed: true } as const;
  const before = cleanup.after(createRedisStore(listed), (one) => one.close());
  await before.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '100' } });
  const past = createRedisStore({ ...listed, history: true, limitsFrom: 'history' });
  await cleanup.after(past, (one) => one.close()).ready();
  const refused = { kind: 'refused', reason: 'historyTooShort' };
  expect(await past.players.setLimit(player, order)).toEqual(refused);
  now += 12 * hourMs; // the next day began before a day had passed
  expect(await past.players.setLimit(player, order)).toEqual(refused);
  const { limits } = (await past.players.limits(player)) as { readonly limits: readonly unknown[] };
  expect(limits).toHaveLength(0);
  const process = { store: past, clock, wall: new Wall() };
  await callOf(process, { ...player, gameRound: 'r' }, [debitOf('r', 40n, true)]);
  now += 23 * hourMs;
  await callOf(process, { ...player, gameRound: 's' }, [debitOf('s', 7n, true)]);
  expect(await past.players.setLimit(player, order)).toEqual({ kind: 'done' });
  expect(await past.players.limits(player)).toMatchObject({ limits: [{ used: 7n }] });
});

test('a limit makes no player of one who is gone since the limits were read', async () => {
  const gone = { operatorId: 'op', playerId: 'gone' };
  const keys = {
    account: new Keys('rgs').account(gone),
    changes: new Keys('rgs').limitChanges(gone),
    acts: new Keys('rgs').acts(gone),
  };
  const groups = 'EUR UTC 1 0 500 -1 -1 20261124 202648 202611 0';
  const act = { content: 'content', time: '1', place: '1/gone/l' };
  const call = { ...keys, read: '', groups, ...act, event: null, seen: null };
  expect(await client.eval(...evaluated(call))).toBe(0);
  expect(await client.exists(keys.account, keys.changes, keys.acts)).toBe(0);
});

test('a process that ends while it sets a limit from history leaves one that counts too much; sent again, it is exact', async () => {
  let now = Date.UTC(2026, 10, 22, 12);
  const clock = { ...systemClock, now: () => now };
  const shared = { ...patience, url: server.url, namespace: 'past', init: true, clock } as const;
  const past = { retentionMs: 32 * 86_400_000, history: true, limitsFrom: 'history' } as const;
  const made = createRedisStore({ ...shared, ...past, acceptMixed: true });
  const { players } = cleanup.after(made, (one) => one.close());
  await players.openPlayer({ ...player, currency: 'EUR', balances: { real: '100' } });
  await made.ready();
  now += 3 * 86_400_000;
  const process = { store: made, clock, wall: new Wall() };
  await callOf(process, { ...player, gameRound: 'r' }, [
    debitOf('r', 40n, true),
    creditOf('c', 9n),
  ]);
  const keys = new Keys('past');
  const { references, order: cashOrder } = keys.cash(player);
  const seen = { history: keys.history(player).list, order: cashOrder, references };
  const nothing = { rounds: [], versions: [], newest: '0', latest: '' };
  const written = {
    account: keys.account(player),
    changes: keys.limitChanges(player),
    acts: keys.acts(player),
    read: '',
    groups: 'EUR UTC 2 0 50 -1 -1 20261125 202648 202611 -7 0 - -',
    content: 'loss EUR day UTC real 50   ', // no person, no reason
    time: now.toString(36),
    place: '',
    event: null,
    seen: { ...seen, ...nothing },
  };
  const reply = await client.eval(...evaluated(written));
  expect(reply).toMatchObject(['40', [], ['1tr', expect.arrayContaining(['h'])], []]);
  const told = async () => (await players.limits(player)) as unknown;
  expect(await told()).toMatchObject({ limits: [{ used: 40n, remaining: 10n, isBound: true }] });
  const refused = await callOf(process, { ...player, gameRound: 's' }, [debitOf('s', 11n, true)]);
  expect(refused).toEqual(['LIMITREACHED']);
  await callOf(process, { ...player, gameRound: 't' }, [debitOf('t', 10n, true)]);
  const again = { kind: 'loss', currency: 'EUR', window: 'day', amount: { units: 50n } } as const;
  expect(await players.setLimit(player, again)).toEqual({ kind: 'done' });
  const exact = { limits: [{ used: 41n, remaining: 9n }] };
  expect(await told()).toMatchObject(exact);
  expect(await told()).not.toMatchObject({ limits: [{ isBound: true }] });
  const late = { numbers: '20261125 0 0', units: '-40 0 0', kind: 2, currency: 'EUR', reading: -7 };
  const end = scripts.endReading.evaluated({ account: keys.account(player), ...late });
  expect(await client.eval(...(end as [string, number, ...string[]]))).toBe(0);
  const groups = written.groups.replace('20261125', '20261124'); // no window goes back
  const stale = { ...written, read: 'EUR UTC 2 0 50 -1 -1', groups };
  expect(await client.eval(...evaluated(stale))).toBe(0);
  expect(await told()).toMatchObject(exact);
});

function evaluated(call: Parameters<typeof scripts.setLimit.evaluated>[0]) {
  return scripts.setLimit.evaluated(call) as [string, number, ...string[]];
}

test('what is kept of limits is told in no accounts: of a player, a commit, the books, an event, a round', async () => {
  const { players, rounds, history } = store;
  for (const kind of ['stake', 'loss', 'deposit'] as const) {
    await players.setLimit(player, { ...order, kind });
  }
  await players.setBlocked(player, true, { until: Date.now() + 60_000 });
  await players.setBlocked(player, false);
  const left = { ...eur, real: 999_999n };
  expect(await debit('one', 1n)).toEqual({ kind: 'committed', accounts: [left] });
  await players.setBlocked(player, true, { until: Date.now() + 600_000 });
  expect(await rounds.accounts(player)).toEqual({ kind: 'known', accounts: [left] });
  expect(await players.readPlayer(player)).toMatchObject({ accounts: [left], blocked: true });
  const round = { ...player, gameRound: 'one' };
  expect(JSON.stringify(await rounds.readRound(round), asText)).not.toContain('#limits');
  expect(JSON.stringify(await history.rounds(player), asText)).not.toContain('#limits');
  const books: unknown[] = [];
  for await (const one of players.books()) books.push(one);
  expect(JSON.stringify(books, asText)).not.toMatch(/#limits|blocked/);
  expect(books).toHaveLength(1);
  for (const key of await client.keys('*:e')) {
    expect(JSON.stringify(await client.xrange(key, '-', '+'))).not.toContain('#limits');
  }
  const deposit = { ...player, currency: 'EUR', amount: '1', reference: 'c' };
  expect(await players.deposit(deposit)).toMatchObject({ reason: 'limitReached' });
});

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('limits in seventeen zones one after the other cost a known player one command a debit again', async () => {
  const zones = Array.from({ length: 17 }, (_, at) => `Etc/GMT+${at % 13}`).map((zone, at) =>
    at < 13 ? zone : `Etc/GMT-${at - 12}`,
  );
  for (const [at, zone] of zones.entries()) {
    expect(await store.players.setLimit(player, { ...order, zone })).toEqual({ kind: 'done' });
    expect((await debit(`in ${at}`, 1n)).kind).toBe('committed');
  }
  const before = await scriptsRun();
  expect((await debit('again', 1n)).kind).toBe('committed');
  expect((await scriptsRun()) - before).toBe(1);
});

async function scriptsRun(): Promise<number> {
  const stats = String(await client.call('INFO', 'commandstats'));
  const calls = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)];
  return calls.reduce((sum, [, one]) => sum + Number(one), 0);
}
