import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMemoryLedger, repairContract } from '../../../lib/proof';

const runner = { describe, it, afterAll };

describe('in memory', () => repairContract({ runner, createStore: createMemoryStore }));

describe('over a ledger', () => {
  repairContract({
    runner,
    createStore: (options) => {
      const ledger = createMemoryLedger();
      const journal = createMemoryStore(options);
      return { store: createLedgerStore({ ledger, journal }), players: ledger };
    },
  });
});
