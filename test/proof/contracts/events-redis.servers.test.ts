import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { createRedisStore } from '../../../lib/operator/stores/redis';
import { eventsContract } from '../../../lib/proof';
import { type RedisServer, startRedis } from '../../servers/redis/server';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

/** A slow disk is no fault of the store. */
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

eventsContract({
  follows: true,
  runner: { describe, it, afterAll },
  createStore: (options) => {
    const store = createRedisStore({
      acceptMixed: true,
      ...options,
      ...patience,
      url: server.url,
      init: true,
    });
    return { store, players: store.players };
  },
});
