import { afterAll, describe, it } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { notableContract } from '../../../lib/proof';

notableContract({ runner: { describe, it, afterAll }, createStore: createMemoryStore });
