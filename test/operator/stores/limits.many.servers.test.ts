import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import { limitsContract } from '../../proof/limits/suite';
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

describe('in Redis', () =>
  limitsContract({
    ...plan,
    createStores: async (options, [one, other]) => {
      const shared = { ...options, ...patience, url: redis.url, init: true, acceptMixed: true };
      return [
        createRedisStore({ ...shared, clock: one }),
        createRedisStore({ ...shared, clock: other }),
      ];
    },
  }));

describe('in PostgreSQL', () =>
  limitsContract({
    ...plan,
    createStores: async (options, [one, other]) => {
      const shared = { ...options, ...patience, url: postgres.url, init: true, acceptMixed: true };
      return [
        createPostgresStore({ ...shared, clock: one }),
        createPostgresStore({ ...shared, clock: other }),
      ];
    },
  }));
