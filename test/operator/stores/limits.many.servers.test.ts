import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { limitsContract, pastLimitsContract } from '../../proof/limits/suite';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';

const runner = { describe, it, afterAll };
const plan = { runner, seed: testSeed, plays: runs(400, 4) };
let redis: RedisServer;
let postgres: PostgresServer;

beforeAll(async () => {
  [redis, postgres] = [await startRedis(), await startPostgres()];
});

afterAll(async () => {
  await redis.stop();
  await postgres.stop();
});

/** Options of both stores, and of those whose limits count from history. */
const shared = { ...patience, init: true, acceptMixed: true } as const;
const past = { ...shared, history: true, limitsFrom: 'history' } as const;

describe('in Redis', () => {
  limitsContract({
    ...plan,
    createStores: async (options, [one, other]) => {
      const made = { ...options, ...shared, url: redis.url };
      return [
        createRedisStore({ ...made, clock: one }),
        createRedisStore({ ...made, clock: other }),
      ];
    },
  });

  pastLimitsContract({
    ...plan,
    createStores: async (options, [one, other]) => {
      const made = { ...options, ...past, url: redis.url, namespace: 'past' };
      return [
        createRedisStore({ ...made, clock: one }),
        createRedisStore({ ...made, clock: other }),
      ];
    },
  });
});

describe('in PostgreSQL', () => {
  limitsContract({
    ...plan,
    createStores: async (options, [one, other]) => {
      const made = { ...options, ...shared, url: postgres.url };
      return [
        createPostgresStore({ ...made, clock: one }),
        createPostgresStore({ ...made, clock: other }),
      ];
    },
  });

  pastLimitsContract({
    ...plan,
    hasServerTimes: true,
    createStores: async (options, [one, other]) => {
      const made = { ...options, ...past, url: postgres.url, schema: 'past' };
      return [
        createPostgresStore({ ...made, clock: one }),
        createPostgresStore({ ...made, clock: other }),
      ];
    },
  });
});
