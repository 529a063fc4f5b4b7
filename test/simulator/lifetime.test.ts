import { expect, test } from '@jest/globals';
import { Lifetime } from './world/lifetime';
import { World } from './world/scheduler';
import { Trace } from './world/trace';

function newLifetime(): Lifetime {
  return new Lifetime(new World(1, { at: () => null }, new Trace(null)), 0);
}

test('what follows a death follows it once, also where a process died before anybody asked', () => {
  const lifetime = newLifetime();
  let ends = 0;
  lifetime.onEnd(() => (ends += 1));
  lifetime.end();
  lifetime.end();
  expect(ends).toBe(1);
  lifetime.onEnd(() => (ends += 1));
  expect(ends).toBe(2);
});

test('what was taken back does not follow a death', () => {
  const lifetime = newLifetime();
  let ends = 0;
  const takeBack = lifetime.onEnd(() => (ends += 1));
  takeBack();
  lifetime.end();
  expect(ends).toBe(0);
});
