import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { repairContract } from '../../../../lib/proof';
import { type RedisCluster, startRedisCluster } from '../../../servers/redis/cluster';
import { patience } from '../../../support/patience';

let cluster: RedisCluster;

beforeAll(async () => {
  cluster = await startRedisCluster();
});

afterAll(() => cluster.stop());

describe('in a cluster', () =>
  repairContract({
    runner: { describe, it, afterAll },
    createStore: (options) => {
      const hosts = cluster.startupNodes.map(({ host, port }) => `${host}:${port}`);
      const url = `redis+cluster://${hosts.join(',')}`;
      return createRedisStore({
        acceptMixed: true,
        ...options,
        ...patience,
        url,
        init: true,
        history: true,
      });
    },
  }));
