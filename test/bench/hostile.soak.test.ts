import { expect, test } from '@jest/globals';
import { playInputs } from '../../bench/attacks/play';

test('of 300,000 hostile inputs none is wrongly accepted or thrown, and they leave no memory behind', async () => {
  const memory = { everyInputs: 50_000, maxBytes: 20_000_000 };
  const { faults, inputs } = await playInputs({ seed: 1001, inputs: 300_000, only: null, memory });
  expect(faults).toEqual([]);
  expect(inputs).toBe(300_000);
});
