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

test('over a journal without events it has none', () => {
  const journal = { ...createMemoryStore(), events: undefined };
  const store = createLedgerStore({ ledger: createMemoryLedger(), journal });
  expect(store.events).toBeUndefined();
});
