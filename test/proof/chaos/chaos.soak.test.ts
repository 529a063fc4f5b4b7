import { expect, test } from '@jest/globals';

import { faultsOf } from './flags';
import { playChaos, wrongsIn } from './play';
import { chaosText } from './report';
import { storeNames } from './stores/list';

/** Of each store; each fault comes once at least. `npm run chaos -- --hours 1` makes a long run of it. */
const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 1);

test.each(storeNames)(
  'no book is wrong after each fault of %s has come under load',
  async (store) => {
    const report = await playChaos({ store, seconds: SECONDS, seed: 1 });
    process.stdout.write(chaosText(report));
    expect(wrongsIn(report)).toBe(0);
    expect(report.figures.failedCredits).toBe(0);
    expect(report.figures.failed + report.figures.lost).toBeGreaterThan(0);
    const played = [...report.recoveries.keys(), ...report.losses.map(({ kind }) => kind)];
    expect(played.toSorted()).toEqual(faultsOf(store).toSorted());
    for (const times of report.recoveries.values()) expect(times.length).toBeGreaterThan(0);
  },
);
