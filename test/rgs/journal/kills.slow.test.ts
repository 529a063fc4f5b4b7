import { join } from 'node:path';

import { test } from '@jest/globals';

import { temporaryFolder } from '../../servers/reaper';
import { killAgainAndAgain } from './killed-process';

test('B4: no acknowledged append is lost in 200 kills of its process', async () => {
  await killAgainAndAgain(join(await temporaryFolder('journal'), 'rgs.journal'), 200, 7);
});
