import { expect, test } from '@jest/globals';
import { type StoreName, walkPoints } from '../../../lib/proof/simulator';
import { openRedisModel as openHost } from '../../servers/in-process/redis/host';

/** Of the pairs, one of so many is played here; `npm run simulate:points` plays all. */
test.each<[StoreName, number]>([
  ['memory', 10],
  ['ledger', 100],
  ['lua', 200],
])(
  'over %s the scenarios hold with every fault at every point, and with one of %d pairs',
  async (store, pairsOf) => {
    const { failures, scenarios, singles, pairs } = await walkPoints({ store, pairsOf, openHost });
    process.stdout.write(
      `points, ${store}: ${scenarios} scenarios, ${singles} single, ${pairs} pairs\n`,
    );
    expect(failures).toEqual([]);
    expect(scenarios).toBeGreaterThanOrEqual(25);
  },
);
