import { describe, test } from '@jest/globals';
import { assert as check, asyncProperty } from 'fast-check';
import { runs } from '../../support/runs';

import { lives, play } from './lives';

describe('B4: whenever the machine loses its power or the process is killed', () => {
  test('every acknowledged append is there, in order and whole, and nothing that was not called', async () => {
    await check(asyncProperty(lives, play), { numRuns: runs(60) });
  });

  test('at each operation of a life with a snapshot in its midst, nothing is lost', async () => {
    const step = { before: 2, snapshots: 0, after: 0, isAwaited: true };
    const story = [step, { ...step, snapshots: 1, after: 1 }, step];
    const paces = [1];
    for (let operations = 0; operations < 40; operations++) {
      for (const bytes of [0, 80]) {
        for (const hasZeros of [false, true]) {
          const cut = { operations: 0, bytes, hasZeros, names: 0 };
          await play([{ steps: story, paces, operations, cut }]);
          await play([{ steps: story, paces, operations, cut: { ...cut, names: 9 } }]);
        }
      }
      // What a killed process wrote and did not sync was read by the next one, so it must outlive its power cut.
      const cut = { operations: 0, bytes: 0, hasZeros: false, names: 0 };
      const idle = { steps: [], paces, operations: 99, cut };
      await play([{ steps: story, paces, operations, cut: null }, idle]);
    }
  });
});
