import { test } from '@jest/globals';

import { agreeAfterStorms } from './storm';

test('B3, B4, W5, E15.4: after any calls, faults and kills the wallet and the service agree, and no hash counts twice', async () => {
  await agreeAfterStorms(1_500);
});
