import { describe, expect, test } from '@jest/globals';
import { generatePlan, playPlan, type StoreName } from '.';

/** A world in which players have accounts in two currencies. */
function planOf(store: StoreName, calls: number) {
  for (let seed = 1; ; seed++) {
    const plan = generatePlan({ seed, calls, store });
    if (plan.players.some(({ second }) => second !== undefined)) return plan;
  }
}

describe.each<[StoreName, number]>([
  ['memory', 600],
  ['ledger', 200],
])('over %s, players with accounts in two currencies', (store, calls) => {
  test('have the right balances in each, whatever comes in the other one', async () => {
    const plan = planOf(store, calls);
    const others = plan.rounds.filter(({ currency }) => currency === 'USD');
    expect(others.length).toBeGreaterThan(2);
    expect((await playPlan(plan)).violation).toBeNull();
  });
});

test('people correct balances of both kinds of money, and the books have it', async () => {
  const plan = generatePlan({ seed: 2, calls: 900, store: 'memory' });
  const { events, violation } = await playPlan(plan);
  expect(violation).toBeNull();
  expect(events.get('correction of real money')).toBeGreaterThan(2);
  expect(events.get('correction of bonus money')).toBeGreaterThan(0);
});

test('a win in a currency that its round has not is refused, and may be paid by a person', async () => {
  const plan = generatePlan({ seed: 8, calls: 600, store: 'memory' });
  const { events, violation } = await playPlan(plan);
  expect(violation).toBeNull();
  expect(events.get('repair: paid in another currency')).toBeGreaterThan(0);
});
