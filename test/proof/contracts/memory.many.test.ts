import { afterAll, describe, it } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  accountBooksContract,
  accountStoreContract,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';

const runner = { describe, it, afterAll };

walletStoreContract({ runner, createStore: createMemoryStore, follows: true });
accountStoreContract({ runner, createStore: createMemoryStore });
accountBooksContract({ runner, createStore: createMemoryStore });
walletStoreHistories({
  seed: testSeed,
  runner,
  createStore: createMemoryStore,
  histories: runs(300),
});
