import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { actsContract, createMemoryLedger } from '../../../lib/proof';

const runner = { describe, it, afterAll };

describe('in memory', () => actsContract({ runner, createStore: createMemoryStore }));

describe('over a ledger', () => {
  actsContract({
    runner,
    createStore: (options) => {
      const ledger = createMemoryLedger();
      const journal = createMemoryStore(options);
      return { store: createLedgerStore({ ledger, journal }), players: ledger };
    },
  });
});
