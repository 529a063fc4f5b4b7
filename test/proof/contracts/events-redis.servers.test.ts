import { afterAll, describe, it } from '@jest/globals';

import { createRedisStore } from '../../../lib/operator/stores/redis';
import { eventsContract } from '../../../lib/proof';
import { startRedis } from '../../servers/redis/server';
import { serverOfFile } from '../../support/each-test';

const server = serverOfFile(startRedis);

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
      url: server().url,
      init: true,
    });
    return { store, players: store.players };
  },
});
