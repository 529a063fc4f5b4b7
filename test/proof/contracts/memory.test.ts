import { afterAll, describe, it } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  accountStoreContract,
  walletStoreContract,
  walletStoreHistories,
} from '../../../lib/proof';

const runner = { describe, it, afterAll };

walletStoreContract({ runner, createStore: createMemoryStore });
accountStoreContract({ runner, createStore: createMemoryStore });
walletStoreHistories({ runner, createStore: createMemoryStore });
