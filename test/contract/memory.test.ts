import { afterAll, describe, it } from '@jest/globals';

import { createMemoryStore } from '../../lib/stores/memory';
import { walletStoreContract } from '../../lib/testing';

walletStoreContract({ runner: { describe, it, afterAll }, createStore: createMemoryStore });
