import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { eventsContract } from '../../../../lib/proof';
import { type RedisCluster, startRedisCluster } from '../../../servers/redis/cluster';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await startRedisCluster();
});

afterAll(() => cluster.stop());

/** A slow disk is no fault of the store. */
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

describe('in a cluster', () => {
  eventsContract({
    follows: true,
    runner: { describe, it, afterAll },
    createStore: (options) => {
      const hosts = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`);
      const url = `redis+cluster://${hosts.join(',')}`;
      const store = createRedisStore({ ...options, ...patience, url, init: true });
      return { store, players: store.players };
    },
  });
});
