import { test } from '@jest/globals';
import { assert as check, asyncProperty } from 'fast-check';

import { lives, play } from './lives';

test('B4: in thousands of lives with crashes and power cuts no acknowledged append is lost', async () => {
  await check(asyncProperty(lives, play), { numRuns: 3000 });
});
