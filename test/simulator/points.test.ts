import { expect, test } from '@jest/globals';
import { plants, walkPoints } from '.';

test('scenarios hold with a fault at any point, and with two', async () => {
  let worlds = 0;
  const { failures, singles, pairs } = await walkPoints({
    store: 'memory',
    pairsOf: 40,
    onWorld: () => (worlds += 1),
    isStopped: () => worlds >= 300,
  });
  expect(failures).toEqual([]);
  expect(singles + pairs).toBeGreaterThan(250);
});

test('a planted bug that needs a fault at one point is found', async () => {
  const planted = plants.find(({ name }) => name === 'a credit in doubt is answered 503');
  if (planted === undefined) throw new Error('there is no such bug');
  let isFound = false;
  const { failures } = await walkPoints({
    store: 'memory',
    pairsOf: null,
    plant: planted.plant,
    onWorld: (soFar) => (isFound = soFar.failures.length > 0),
    isStopped: () => isFound,
  });
  const [failing] = failures;
  expect(failing?.faults).toHaveLength(1);
  expect(failing?.violation.rule).toBe('O6');
});
