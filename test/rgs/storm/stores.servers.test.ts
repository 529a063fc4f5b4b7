import { expect, test } from '@jest/globals';

import { seed, stormOnRedis } from './on-stores';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
const size = { seed, rounds: 60, players: 12, faults: 0.004 };

// Over PostgreSQL, and with more rounds over Redis: stores.slow.test.ts.
test('gambles, free plays, voids and autoclose with every fault on every line over Redis: the books are equal (B3)', async () => {
  const { problems, missing, rounds } = await stormOnRedis(size, cleanup);
  expect({ seed, problems, missing }).toEqual({ seed, problems: [], missing: [] });
  expect(rounds).toBeGreaterThanOrEqual(size.rounds);
});
