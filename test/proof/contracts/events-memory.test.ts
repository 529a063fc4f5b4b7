import { afterAll, describe, it } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { eventsContract } from '../../../lib/proof';

eventsContract({
  follows: true,
  runner: { describe, it, afterAll },
  createStore: (options) => {
    const store = createMemoryStore(options);
    return { store, players: store.players };
  },
});
