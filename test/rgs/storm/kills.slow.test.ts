import { expect, test } from '@jest/globals';

import { killAgainAndAgain } from './kills';

/** For what hangs: no slow machine may reach it. */
const anHour = 3_600_000;
const seed = Number(process.env['STORM_SEED'] ?? 1);
/** STORM_KILLS=200 plays the storm in full. */
const kills = Number(process.env['STORM_KILLS'] ?? 40);

test(
  `an RGS that is killed with -9 ${kills} times under load leaves equal books (B3, B4)`,
  async () => {
    const { problems, ...figures } = await killAgainAndAgain(kills, seed);
    expect({ seed, problems, figures }).toEqual({ seed, problems: [], figures: expect.anything() });
    expect(figures.inDoubt).toBeGreaterThan(0);
    expect(figures.voids).toBeGreaterThan(0);
  },
  anHour,
);
