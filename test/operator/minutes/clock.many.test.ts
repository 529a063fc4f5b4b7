import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { readRow } from '../../../lib/operator/minutes/row';
import { createCallWatch, startMinutes } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { runs } from '../../support/runs';
import { VirtualClock } from '../../support/virtual-clock';
import { newYear } from '../operations/fixture';

const first = newYear / 60_000;
const random = { next: () => 0.5, bytes: (count: number) => Buffer.alloc(count, 1) };

/** Seconds that pass, calls that come then, and seconds by which the clock is set before them. */
const step = fc.tuple(
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 0, max: 3 }),
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -200, max: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: -3000, max: 3000 }) },
  ),
);

test('each call is in one row of its process, also where the clock was set forward or back', async () => {
  const history = fc.array(step, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const clock = new VirtualClock(newYear);
      const calls = createCallWatch({ clock, random });
      const { minutes } = createMemoryStore({ clock });
      const running = startMinutes({ store: { minutes }, calls, clock, random });
      for (const [seconds, count, setBy] of steps) {
        clock.setWallClock(setBy * 1000);
        for (let call = 0; call < count; call += 1) calls.onOutcome({ status: 200, durationMs: 5 });
        await clock.pass(seconds * 1000);
      }
      await running.stop();
      const rows = await minutes.list(first - 700, first + 700);
      const counted = rows.map(({ minute, text }) => readRow(minute, text)?.outcomes[0] ?? 0);
      const made = steps.reduce((sum, [, count]) => sum + count, 0);
      expect(counted.reduce((sum, done) => sum + done, 0)).toBe(made);
    }),
    { numRuns: runs(2000) },
  );
});
