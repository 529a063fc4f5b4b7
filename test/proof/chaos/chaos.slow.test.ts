import { expect, test } from '@jest/globals';

import { type ChaosStore, playChaos } from './play';
import { chaosText } from './report';

/** Of each store; `npm run chaos -- --hours 1` makes a long run of it. */
const SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 14);

test.each<ChaosStore>(['redis', 'postgres'])(
  'no book is wrong after servers and processes over %s were killed and cut off under load',
  async (store) => {
    const report = await playChaos({ store, seconds: SECONDS, seed: 1 });
    process.stdout.write(chaosText(report));
    expect(report.wrong).toEqual([]);
    expect(report.figures.failed + report.figures.lost).toBeGreaterThan(0);
    expect(report.faults.size).toBeGreaterThan(2);
  },
);
