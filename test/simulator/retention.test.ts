import { describe, expect, test } from '@jest/globals';
import { generatePlan, playPlan, type StoreName } from '.';
import { openRedisModel as openHost } from '../servers/in-process/redis/host';

/** A world in which the retention of rounds runs out while others are played. */
function planOf(store: StoreName, calls: number) {
  for (let seed = 1; ; seed++) {
    const plan = generatePlan({ seed, calls, store });
    if (plan.retentionMs !== undefined) return plan;
  }
}

describe.each<[StoreName, number]>([
  ['memory', 500],
  ['ledger', 200],
  ['lua', 40],
])('over %s, rounds whose retention ends while play goes on', (store, calls) => {
  test('are forgotten, every book stays right, and their wins are refused and never paid again', async () => {
    const { violation, events } = await playPlan(planOf(store, calls), { openHost });
    expect(violation).toBeNull();
    expect(events.get('retention: a round forgotten')).toBeGreaterThan(calls / 20);
    expect(events.get('retention: a call sent again after it')).toBeGreaterThan(0);
    const hasBooks = store !== 'ledger';
    expect((events.get('books with forgotten rounds') ?? 0) > 0).toBe(hasBooks);
  });
});

test('worlds in which rounds are forgotten are some of all, and the same seed gives the same one', () => {
  const plans = Array.from({ length: 200 }, (_, seed) => {
    return generatePlan({ seed, calls: 10, store: 'memory' });
  });
  const forgetting = plans.filter(({ retentionMs }) => retentionMs !== undefined);
  expect(forgetting.length).toBeGreaterThan(15);
  expect(forgetting.length).toBeLessThan(60);
  const [first] = forgetting;
  expect(generatePlan({ seed: first?.seed ?? 0, calls: 10, store: 'memory' })).toEqual(first);
});
