import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { balancesContract, createMemoryLedger } from '../../../lib/proof';

const runner = { describe, it, afterAll };

describe('in memory', () =>
  balancesContract({
    runner,
    createStore: (options) => createMemoryStore({ ...options, history: true }),
    follows: true,
  }));

describe('over a ledger with a journal in memory', () =>
  balancesContract({
    runner,
    createStore: (options) => {
      const ledger = createMemoryLedger();
      const journal = createMemoryStore({ ...options, history: true });
      return { store: createLedgerStore({ ledger, journal }), players: ledger };
    },
  }));
