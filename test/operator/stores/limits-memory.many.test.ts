import { afterAll, describe, it } from '@jest/globals';

import { limitsContract } from '../../proof/limits/suite';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';
import { twoInMemory } from './limit-processes';

limitsContract({
  runner: { describe, it, afterAll },
  createStores: twoInMemory,
  seed: testSeed,
  plays: runs(4000, 15),
});
