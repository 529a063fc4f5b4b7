import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type RoundHead, unseenRound } from '../../../../lib/operator/gameround';
import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import type { AccountStore, FullStore } from '../../../../lib/operator/wallet';
import { changeOf, end, openingOf } from '../../../../lib/proof/contracts/changes';
import { temporaryFolder } from '../../../servers/reaper';
import { withRedis } from '../../../servers/redis/client';
import {
  type RedisServer,
  type RedisServerOptions,
  startRedis,
} from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const cleanup = cleanupAfterEach();

async function serve(options: RedisServerOptions = {}): Promise<RedisServer> {
  return cleanup.after(await startRedis(options));
}

function open(options: RedisStoreOptions): FullStore {
  return cleanup.after(createRedisStore({ ...patience, init: true, ...options }));
}

/** Opens the one player with this balance, and returns the balance afterwards. */
async function balanceOf(store: AccountStore, real: string, operatorId = 'op'): Promise<unknown> {
  const player = { operatorId, playerId: 'p', currency: 'EUR', balances: { real } };
  const result = await store.players.openPlayer(player);
  return result.kind === 'unknown' ? result.cause : result.account.real;
}

test('a password is taken from the address, decoded', async () => {
  const { url } = await serve({ config: { requirepass: 'p:ss%w@rd/' } });
  expect(url).toContain('p%3Ass%25w%40rd%2F');
  expect(await balanceOf(open({ url }), '1')).toBe(10_000n);
});

test('a user of the access list is taken from the address', async () => {
  const redis = await serve();
  await withRedis(redis, (admin) =>
    admin.call('ACL', 'SETUSER', 'wallet', 'on', '>s3cret', '~rgs:*', '+@all'),
  );
  const url = `redis://wallet:s3cret@127.0.0.1:${redis.port}`;
  expect(await balanceOf(open({ url }), '1')).toBe(10_000n);
});

test('the commands that the documentation names for a user of the access list are enough', async () => {
  const docs = await readFile(join(__dirname, '../../../../docs/operations/redis.md'), 'utf8');
  const rights = /```text\n(\+evalsha[^`]*)```/.exec(docs)?.[1]?.trim().split(/\s+/) ?? [];
  const redis = await serve();
  await withRedis(redis, (admin) =>
    admin.call('ACL', 'SETUSER', 'wallet', 'on', '>s3cret', '~rgs:*', ...rights),
  );
  const url = `redis://wallet:s3cret@127.0.0.1:${redis.port}`;
  const store = open({ url });
  await store.ready();
  expect(await store.server?.time()).toBeGreaterThan(1_700_000_000_000);
  expect(await balanceOf(store, '1')).toBe(10_000n);
  const player = { operatorId: 'op', playerId: 'p' };
  const order = { ...player, currency: 'EUR', amount: '1', reference: 'a' };
  expect(await store.players.deposit(order)).toMatchObject({ kind: 'done' });
  expect(await store.players.cash?.(player)).toMatchObject({ kind: 'known' });
  for await (const { isAtRest } of store.players.books?.() ?? []) expect(isAtRest).toBe(true);
  const round = { ...player, gameRound: 'r' };
  for (const [before, state] of [
    [unseenRound, 'stranded'],
    [{ ...unseenRound, version: 1, state: 'stranded' }, 'closed'],
  ] as const) {
    const after: RoundHead = { ...before, version: before.version + 1, state, gameCode: 'g' };
    const change = { before, after, records: [], movements: [] };
    expect(await store.rounds.commit(round, change)).toMatchObject({ kind: 'committed' });
  }
  expect(await store.rounds.load(round, ['h'])).toMatchObject({ kind: 'loaded' });
  expect(await store.rounds.readRound(round)).toMatchObject({ head: { state: 'closed' } });
  for await (const _ of store.lists.attention('op')) throw new Error('nothing needs attention');
  await store.ready();
  const naming = open({ url, events: ['bridge'] });
  await naming.rounds.commit({ ...round, gameRound: 'told' }, openingOf([end('e')]));
  for await (const batch of naming.events.read({ consumer: 'bridge', operatorId: 'op' })) {
    expect(await batch.done()).toBe(true);
    break;
  }
  expect(await naming.events.lag('op')).toMatchObject([{ waiting: 0 }]);
  await naming.rounds.commit({ ...round, gameRound: 'forgotten' }, openingOf([end('e')]));
  expect(await naming.events.forgetConsumer('bridge', ['op'])).toBe(true);
  const listing = open({ url, history: true });
  const listed = { ...player, gameRound: 'listed' };
  const change = openingOf([end('e')]);
  expect(await listing.rounds.commit(listed, change)).toMatchObject({ kind: 'committed' });
  const openRounds: string[] = [];
  for await (const entry of listing.lists.openRounds?.('op', change.after.changedAt) ?? []) {
    openRounds.push(entry.gameRound);
  }
  expect(openRounds).toEqual(['listed']);
  const closing = changeOf(change.after, [end('f')], { state: 'closed' });
  expect(await listing.rounds.commit(listed, closing)).toMatchObject({ kind: 'committed' });
  expect(await listing.history.rounds(player)).toMatchObject({ rounds: [{ gameRound: 'listed' }] });
  expect(await listing.history.findRound({ ...player, hash: 'f' })).toMatchObject({
    kind: 'found',
  });
  await until('the token of each process to be written', () =>
    withRedis(redis, async (admin) => {
      const names = await admin.hkeys('rgs:settings');
      return names.filter((name) => name.startsWith('token ')).length === 3;
    }),
  );
});

test('TLS trusts the authority that is given, and no other', async () => {
  const folder = await temporaryFolder('tls');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = '-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
  const command = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ${key} -out ${cert} -days 2 ${subject}`;
  await promisify(execFile)('openssl', command.split(' '));
  const { url } = await serve({ tls: { cert, key, ca: cert } });
  const ca = await readFile(cert, 'utf8');
  expect(await balanceOf(open({ url, tls: { ca } }), '1')).toBe(10_000n);
  await expect(open({ url, connectTimeoutMs: 300 }).ready()).rejects.toThrow(/self-signed/);
});

test('the database of the address is used, and no other', async () => {
  const redis = await serve();
  expect(await balanceOf(open({ url: `${redis.url}/3` }), '1')).toBe(10_000n);
  expect(await balanceOf(open({ url: redis.url }), '2')).toBe(20_000n);
  const sizes = await withRedis(redis, (admin) => admin.info('keyspace'));
  expect(sizes).toMatch(/db0:keys=4,[^]*db3:keys=4,/);
});

test('namespaces share a server without seeing each other', async () => {
  const { url } = await serve();
  const [one, two] = [open({ url, namespace: 'one' }), open({ url, namespace: 'two' })];
  expect(await balanceOf(one, '1')).toBe(10_000n);
  expect(await balanceOf(two, '2')).toBe(20_000n);
  expect(await balanceOf(one, '3')).toBe(10_000n);
});

test('operators share a namespace without seeing each other, whatever their ids look like', async () => {
  const { url } = await serve();
  const store = open({ url });
  const ids = ['op', 'op:1', 'op}', '{op}', 'op:1}:p', 'OP', 'öp'];
  for (const [index, id] of ids.entries()) {
    expect(await balanceOf(store, String(index + 1), id)).toBe(BigInt(index + 1) * 10_000n);
  }
});

const wrongOptions: readonly [string, RedisStoreOptions, RegExp][] = [
  ['no address', {}, /either url or client/],
  ['parameters', { url: 'redis://127.0.0.1?password=hush' }, /takes no parameters/],
  ['a password with a % of its own', { url: 'redis://u:hu%sh@127.0.0.1' }, /written %25$/],
  ['TLS options without TLS', { url: 'redis://127.0.0.1', tls: {} }, /address with TLS/],
  ['a namespace with a colon', { url: 'redis://127.0.0.1', namespace: 'a:b' }, /namespace/],
  ['a namespace with a brace', { url: 'redis://127.0.0.1', namespace: '{a}' }, /namespace/],
  ['a time of zero', { url: 'redis://127.0.0.1', commandTimeoutMs: 0 }, /commandTimeoutMs/],
  ['half a replica', { url: 'redis://127.0.0.1', waitReplicas: 0.5 }, /waitReplicas/],
  ['another protocol', { url: 'http://:hush@127.0.0.1' }, /must begin with redis:/],
];

test.each(wrongOptions)('%s is refused when the store is made', (_, options, message) => {
  expect(() => createRedisStore({ init: true, ...options })).toThrow(TypeError);
  expect(() => createRedisStore({ init: true, ...options })).toThrow(message);
  expect(() => createRedisStore({ init: true, ...options })).not.toThrow(/hush/);
});
