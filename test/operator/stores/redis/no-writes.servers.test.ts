import { beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { startTcpProxy, type TcpProxy } from '../../../network/tcp-proxy';
import { until } from '../../../servers/until';
import { LeapingClock } from '../../../support/leaping-clock';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const player = { operatorId: 'op', playerId: 'p', currency: 'EUR' };
const known = { kind: 'known', accounts: [{ currency: 'EUR', real: 10_000n, bonus: null }] };

const cleanup = cleanupAfterEach();
let clock: LeapingClock;
let redis: RedisServer;
let proxy: TcpProxy;

beforeEach(async () => {
  clock = new LeapingClock();
  redis = cleanup.after(await startRedis());
  proxy = cleanup.after(await startTcpProxy(redis.clientOptions));
});

function open(): AccountStore {
  const url = `redis://127.0.0.1:${proxy.port}`;
  const options = { ...patience, url, init: true, clock };
  return cleanup.after(createRedisStore(options));
}

/** A store that is ready, with the one player. */
async function openWithPlayer(): Promise<AccountStore> {
  const store = open();
  await store.ready();
  await store.players.openPlayer({ ...player, balances: { real: '1' } });
  return store;
}

/** What makes a server take no writes. */
const faults: Readonly<Record<string, () => Promise<void>>> = {
  OOM: () =>
    withRedis(redis, async (admin) => {
      await admin.config('SET', 'maxmemory', '1');
    }),
  MISCONF: () =>
    withRedis(redis, async (admin) => {
      await mkdir(join(redis.dir, 'dump.rdb')); // a snapshot cannot take the place of a folder
      await admin.config('SET', 'save', '3600 1');
      await admin.bgsave();
      await until('the snapshot to fail', async () =>
        (await admin.info('persistence')).includes('rdb_last_bgsave_status:err'),
      );
    }),
};

/** How often the server has given an error. */
async function errors(code: string): Promise<number> {
  const info = await withRedis(redis, (admin) => admin.info('errorstats'));
  return Number(new RegExp(`errorstat_${code}:count=(\\d+)`).exec(info)?.[1] ?? 0);
}

describe.each(Object.entries(faults))('a server that answers writes with %s', (code, begin) => {
  test('is ready and tells balances after a lost connection, and refuses what it cannot write', async () => {
    const store = await openWithPlayer();
    await begin();
    proxy.disconnectAll();
    await until(
      'the store to answer',
      async () => (await store.rounds.accounts(player)).kind === 'known',
    );
    await store.ready();
    expect(await store.rounds.accounts(player)).toEqual(known);
    const answered = await errors(code);
    const depositing = store.players.deposit({ ...player, amount: '1', reference: 'a' });
    await until('the fault to be answered', async () => (await errors(code)) > answered + 1);
    clock.leap(patience.commandTimeoutMs);
    const deposit = await depositing;
    expect(deposit).toMatchObject({ kind: 'unknown' });
    expect(deposit.kind === 'unknown' && deposit.cause.message).toContain(code);
  });

  test('is ready and tells balances to a store that starts', async () => {
    await (await openWithPlayer()).close();
    await begin();
    const answered = await errors(code);
    const store = open();
    const starting = store.ready();
    // The note of this process alone is sent again and again.
    await until('its note to be refused', async () => (await errors(code)) > answered + 4);
    clock.leap(patience.commandTimeoutMs);
    await starting;
    expect(await store.rounds.accounts(player)).toEqual(known);
  });
});
