import { afterAll, describe, it } from '@jest/globals';

import { createMemoryLedger, ledgerContract } from '../../../lib/proof';

const runner = { describe, it, afterAll };

/** The ledger under test. */
function createLedger() {
  const ledger = createMemoryLedger();
  return { ledger, players: ledger };
}

ledgerContract({ runner, createLedger });

describe('without bonus money', () => ledgerContract({ runner, createLedger, hasBonus: false }));
