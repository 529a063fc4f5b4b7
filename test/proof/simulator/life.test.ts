import { expect, test } from '@jest/globals';
import { Life } from '../../../lib/proof/simulator/world/life';
import { World } from '../../../lib/proof/simulator/world/scheduler';
import { Trace } from '../../../lib/proof/simulator/world/trace';

function newLife(): Life {
  return new Life(new World(1, { at: () => null }, new Trace(null)), 0);
}

test('what follows a death follows it once, also where a process died before anybody asked', () => {
  const life = newLife();
  let deaths = 0;
  life.onDeath(() => (deaths += 1));
  life.die();
  life.die();
  expect(deaths).toBe(1);
  life.onDeath(() => (deaths += 1));
  expect(deaths).toBe(2);
});

test('what was taken back does not follow a death', () => {
  const life = newLife();
  let deaths = 0;
  const takeBack = life.onDeath(() => (deaths += 1));
  takeBack();
  life.die();
  expect(deaths).toBe(0);
});
