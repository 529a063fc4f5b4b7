import { expect, test } from '@jest/globals';

import { killAgainAndAgain } from './kills';

const seed = Number(process.env['STORM_SEED'] ?? 1);

test('an RGS that is killed with -9 twice under load leaves equal books (B3, B4)', async () => {
  const { problems, kills } = await killAgainAndAgain(2, seed);
  expect({ seed, kills, problems }).toEqual({ seed, kills: 2, problems: [] });
});
