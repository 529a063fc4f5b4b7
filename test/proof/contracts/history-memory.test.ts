import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMemoryLedger, historyContract } from '../../../lib/proof';

const runner = { describe, it, afterAll };

describe('in memory', () => historyContract({ runner, createStore: createMemoryStore }));

describe('over a ledger', () => {
  historyContract({
    runner,
    createStore: (options) => {
      const ledger = createMemoryLedger();
      const journal = createMemoryStore(options);
      return { store: createLedgerStore({ ledger, journal }), players: ledger };
    },
  });
});
