import { expect, test } from '@jest/globals';

import { runs } from '../../support/runs';
import { killAgainAndAgain } from './kills';

const seed = Number(process.env['STORM_SEED'] ?? 1);
/** STORM_KILLS=200 plays the storm in full. */
const most = Number(process.env['STORM_KILLS'] ?? runs(40, 2));

test(`an RGS that is killed with -9 ${most} times under load leaves equal books (B3, B4)`, async () => {
  const { problems, kills, ...figures } = await killAgainAndAgain(most, seed);
  expect({ seed, kills, problems }).toEqual({ seed, kills: most, problems: [] });
  if (most < 40) return;
  expect(figures.inDoubt).toBeGreaterThan(0);
  expect(figures.voids).toBeGreaterThan(0);
});
