import { expect, test } from '@jest/globals';

import { seed, stormOnPostgres, stormOnRedis } from './on-stores';
import { cleanupAfterEach } from '../../support/each-test';

const cleanup = cleanupAfterEach();
/** STORM_ROUNDS=2500 plays the storms in full. */
const rounds = Number(process.env['STORM_ROUNDS'] ?? 600);
const size = { seed, rounds, players: 60, faults: 0.006 };
/** For what hangs: no slow machine may reach it. */
const anHour = 3_600_000;

test.each([
  ['Redis', stormOnRedis],
  ['PostgreSQL', stormOnPostgres],
])(
  `${rounds} rounds with every fault on every line over %s: equal books, no doubt, every hash at most once (B3)`,
  async (_, weather) => {
    const { problems, missing, rounds: played } = await weather(size, cleanup);
    expect({ seed, problems, missing }).toEqual({ seed, problems: [], missing: [] });
    expect(played).toBeGreaterThanOrEqual(rounds);
  },
  anHour,
);
