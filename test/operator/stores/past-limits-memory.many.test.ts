import { afterAll, describe, it } from '@jest/globals';

import { pastLimitsContract } from '../../proof/limits/suite';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';
import { twoFromHistory } from './limit-processes';

pastLimitsContract({
  runner: { describe, it, afterAll },
  createStores: twoFromHistory,
  seed: testSeed,
  plays: runs(4000, 15),
});
