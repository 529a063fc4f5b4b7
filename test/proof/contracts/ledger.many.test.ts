import { afterAll, describe, it } from '@jest/globals';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  type ContractStoreOptions,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';
import { createLedgerVariant, type LedgerVariant } from '../../operator/ledger/ledger-variant';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';

const runner = { describe, it, afterAll };

const ledgers: Readonly<Record<string, LedgerVariant>> = {
  'a ledger that tells accounts and payments': {},
  'a ledger that tells no accounts': { tellsAccounts: false },
  'a ledger without bonus money': { hasBonus: false },
};

describe.each(Object.entries(ledgers))('over %s', (_, ledgerOptions) => {
  const ledger = createLedgerVariant(ledgerOptions);
  const createStore = (options: ContractStoreOptions) => {
    const store = createLedgerStore({ ledger, journal: createMemoryStore(options) });
    return { store, players: ledger };
  };
  const { hasBonus = true } = ledgerOptions;
  walletStoreContract({ runner, createStore, hasBonus });
  walletStoreHistories({ seed: testSeed, runner, createStore, hasBonus, histories: runs(300) });
});
