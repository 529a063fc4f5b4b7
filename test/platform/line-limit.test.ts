import { expect, test } from '@jest/globals';

import { LineLimit } from '../../lib/platform/line-limit';
import { VirtualClock } from '../../lib/platform/virtual-clock';

test('a log that throws while lines are counted ends no process, and the count begins anew', async () => {
  const clock = new VirtualClock();
  const told: number[] = [];
  const limit = new LineLimit(clock, (leftOut) => {
    told.push(leftOut);
    throw new Error('the log is full');
  });
  const takeMany = (): void => {
    for (let at = 0; at < 25; at++) limit.take();
  };
  takeMany();
  await clock.pass(10_000);
  takeMany();
  await clock.pass(10_000);
  expect(told).toEqual([5, 5]);
});
