import { expect, test } from '@jest/globals';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';
import { until } from '../../../servers/until';
import { patience } from '../../../support/patience';
import { cleanupAfterEach } from '../../../support/each-test';

const cleanup = cleanupAfterEach();

interface Warning {
  readonly message: string;
  readonly fields: object;
}

const missing = {
  message:
    'writes end as unknown (D7) until replicas connect: the master has fewer than waitReplicas',
  fields: {
    replicas: 0,
    waitReplicas: 1,
    cure: 'Connect replicas to the master, or lower waitReplicas (--wait-replicas).',
  },
};

function open(options: RedisStoreOptions): { store: AccountStore; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const keep = (fields: object, message: string): void => void warnings.push({ message, fields });
  const logger = { info: () => undefined, warn: keep, error: keep };
  const store = createRedisStore({ ...patience, init: true, logger, ...options });
  return { store: cleanup.after(store), warnings };
}

async function serve(config = {}): Promise<RedisServer> {
  return cleanup.after(await startRedis({ config }));
}

function replicasOf(master: RedisServer): Promise<string> {
  return withRedis(master, async (client) => {
    return /connected_slaves:(\d+)/.exec(await client.info('replication'))?.[1] ?? '';
  });
}

test('a master with fewer replicas than waitReplicas is warned of, once as long as it stays so', async () => {
  const master = await serve();
  const { store, warnings } = open({ url: master.url, waitReplicas: 1 });
  await store.ready();
  await store.ready();
  expect(warnings).toEqual([missing]);
  const player = { operatorId: 'op', playerId: 'p', currency: 'EUR', balances: { real: '1' } };
  const replica = await serve({ replicaof: `127.0.0.1 ${master.port}` });
  await until('the replica to connect', async () => (await replicasOf(master)) === '1');
  await store.ready();
  expect(await store.players.openPlayer(player)).toMatchObject({ kind: 'opened' });
  expect(warnings).toEqual([missing]);
  await replica.kill9();
  await until('the replica to be gone', async () => (await replicasOf(master)) === '0');
  await store.ready();
  expect(warnings).toEqual([missing, missing]);
});

test('a store that waits for no replica does not miss one', async () => {
  const master = await serve();
  const { store, warnings } = open({ url: master.url });
  await store.ready();
  expect(warnings).toEqual([]);
});
