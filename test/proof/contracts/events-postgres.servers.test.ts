import { afterAll, describe, it } from '@jest/globals';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { eventsContract } from '../../../lib/proof';
import { startPostgres } from '../../servers/postgres/server';
import { serverOfFile } from '../../support/each-test';

const server = serverOfFile(startPostgres);

/** A slow disk is no fault of the store. */
const patience = { commandTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

eventsContract({
  runner: { describe, it, afterAll },
  createStore: (options) => {
    const store = createPostgresStore({
      acceptMixed: true,
      ...options,
      ...patience,
      url: server().url,
      init: true,
    });
    return { store, players: store.players };
  },
  follows: true,
});
