import { afterAll, describe, it } from '@jest/globals';

import { createRedisStore, type RedisStoreOptions } from '../../../../lib/operator/stores/redis';
import {
  actsContract,
  eventsContract,
  historyContract,
  minutesContract,
  notableContract,
  repairContract,
} from '../../../../lib/proof';
import { startRedisCluster } from '../../../servers/redis/cluster';
import { limitsContract } from '../../../proof/limits/suite';
import { patience } from '../../../support/patience';
import { testSeed } from '../../../support/seed';
import { serverOfFile } from '../../../support/each-test';

const cluster = serverOfFile(startRedisCluster);

const runner = { describe, it, afterAll };

function open(options: RedisStoreOptions) {
  const hosts = cluster().startupNodes.map(({ host, port }) => `${host}:${port}`);
  const url = `redis+cluster://${hosts.join(',')}`;
  return createRedisStore({ acceptMixed: true, ...options, ...patience, url, init: true });
}

describe('in a cluster', () => {
  eventsContract({
    follows: true,
    runner,
    createStore: (options) => {
      const store = open(options);
      return { store, players: store.players };
    },
  });
  for (const contract of [historyContract, repairContract, actsContract]) {
    contract({ runner, createStore: (options) => open({ ...options, history: true }) });
  }
  minutesContract({ runner, createStore: open });
  notableContract({ runner, createStore: open });
  limitsContract({
    runner,
    seed: testSeed,
    plays: 40,
    createStores: async (options, [one, other]) => [
      open({ ...options, history: true, clock: one }),
      open({ ...options, history: true, clock: other }),
    ],
  });
});
