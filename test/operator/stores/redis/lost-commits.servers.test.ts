import { beforeEach, expect, test } from '@jest/globals';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { createMetrics } from '../../../../lib/operator/telemetry';
import { createOperatorHandler } from '../../../../lib/operator/http/handler';
import { type AccountStore, StoreUnsafeError } from '../../../../lib/operator/wallet';
import { give, openingOf, real, take } from '../../../../lib/proof/contracts/changes';
import { followUpOf } from '../../../../lib/proof/contracts/follow-up/case';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p' };
const lost = { ...player, gameRound: 'lost: 1' };
const uuid = { ...player, gameRound: '0f9619ff-8b86-4011-b42d-00c04fc964ff' };

const cleanup = cleanupAfterEach();
let redis: RedisServer;
let errors: object[];

beforeEach(async () => {
  redis = cleanup.after(await startRedis());
  errors = [];
});

function keep(fields: object, message: string): void {
  errors.push({ ...fields, message });
}

/** A store with a player, whose token is in the data: what is committed from here on is younger. */
async function open(options: RedisStoreOptions = {}): Promise<AccountStore> {
  const logger = { info: () => undefined, warn: () => undefined, error: keep };
  const made = createRedisStore({ ...patience, url: redis.url, init: true, logger, ...options });
  const store = cleanup.after(made);
  await store.ready();
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '100' } });
  await until('the token to be written', () =>
    withRedis(redis, async (admin) => {
      const names = await admin.hkeys('rgs:settings');
      return names.some((name) => name.startsWith('token '));
    }),
  );
  return store;
}

async function copyOfData(): Promise<string> {
  const copy = join(redis.dir, 'copy');
  await cp(join(redis.dir, 'appendonlydir'), copy, { recursive: true });
  return copy;
}

/** The server comes back as a replica that had no more than the copy when it became the master. */
async function failOverTo(copy: string): Promise<void> {
  await redis.kill9();
  const data = join(redis.dir, 'appendonlydir');
  await rm(data, { recursive: true });
  await cp(copy, data, { recursive: true });
  await redis.restart();
}

/** Commits two rounds that the copy does not have, one of them by a follow-up of what it has. */
async function loseCommits(store: AccountStore): Promise<void> {
  const opening = openingOf([take('d', 10_000n)]);
  expect(await store.rounds.commit(uuid, opening)).toMatchObject({ kind: 'committed' });
  const copy = await copyOfData();
  const win = followUpOf([give('w', real(5_000n))]);
  expect(await store.rounds.follow?.(uuid, win)).toMatchObject({ kind: 'committed' });
  expect(await store.rounds.commit(lost, opening)).toMatchObject({ kind: 'committed' });
  await failOverTo(copy);
}

const refusal =
  'Redis lacks acknowledged commits of 2 rounds: acknowledged calls are lost. Restore the newer data and restart, or restart to continue without it.';
const named = {
  store: 'Redis',
  lost: 2,
  rounds: [
    { ...uuid, version: 2 },
    { ...lost, version: 1 },
  ],
  message: 'acknowledged commits are missing from the store',
};

test('a failover that lost acknowledged commits is found at the next connection: the rounds are named, counted, and nothing passes until a restart', async () => {
  const store = await open();
  const metrics = cleanup.after(createMetrics());
  const secret = 'a secret of the operator';
  createOperatorHandler({ store, metrics, operators: [{ operatorId: 'op', secrets: [secret] }] });
  await loseCommits(store);
  await expect(store.ready()).rejects.toThrow(new StoreUnsafeError(refusal));
  expect(await store.rounds.load(lost, ['d'])).toMatchObject({ kind: 'unknown' });
  expect(errors).toContainEqual(named);
  expect(await metrics.text()).toContain('\nrgs_wallet_lost_commits 2\n');
  await expect(store.ready()).rejects.toThrow(refusal);
  await open();
});

test('with acceptOlderData the process goes on without them, and says so', async () => {
  const store = await open({ acceptOlderData: true });
  await loseCommits(store);
  await store.ready();
  expect(await store.rounds.load(lost, ['d'])).toMatchObject({ kind: 'loaded' });
  expect(errors).toMatchObject([named, { reason: expect.stringMatching(/^Redis lacks/) }]);
  await redis.restart();
  await store.ready();
  expect(errors).toHaveLength(2);
});

test('a reconnection that lost nothing is none, and neither is a round whose retention is over', async () => {
  const clock = new LeapingClock();
  const store = await open({ clock, retentionMs: 200_000 });
  const ended = openingOf([take('d', 10_000n)], { state: 'closed' });
  expect(await store.rounds.commit(lost, ended)).toMatchObject({ kind: 'committed' });
  await redis.restart();
  await store.ready();
  clock.leap(200_000);
  await withRedis(redis, (admin) => admin.del(new Keys('rgs').round(lost)));
  await redis.restart();
  await store.ready();
  expect(errors).toEqual([]);
});
