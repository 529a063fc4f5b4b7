import { afterAll, describe, expect, it, test } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMemoryLedger, eventsContract } from '../../../lib/proof';

eventsContract({
  runner: { describe, it, afterAll },
  createStore: (options) => {
    const ledger = createMemoryLedger();
    const store = createLedgerStore({ ledger, journal: createMemoryStore(options) });
    return { store, players: ledger };
  },
});

test('over a journal without events the methods say so', async () => {
  const { events: _events, ...journal } = bound(createMemoryStore());
  const store = createLedgerStore({ ledger: createMemoryLedger(), journal });
  const missing = /journal of the ledger store writes no events/;
  expect(() => store.events({ consumer: 'a', operatorId: 'op' })).toThrow(missing);
  await expect(store.eventsLag('op')).rejects.toThrow(missing);
  await expect(store.forgetConsumer('a', ['op'])).rejects.toThrow(missing);
});

/** The store's methods as own members. */
function bound(store: ReturnType<typeof createMemoryStore>) {
  return {
    decimals: store.decimals,
    ready: () => store.ready(),
    load: store.load.bind(store),
    commit: store.commit.bind(store),
    events: store.events.bind(store),
    attention: store.attention.bind(store),
    unfinished: store.unfinished.bind(store),
    readRound: store.readRound.bind(store),
    close: () => store.close(),
  };
}
