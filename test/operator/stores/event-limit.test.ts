import { expect, test } from '@jest/globals';

import { Events } from '../../../lib/operator/events';
import { EventLimit } from '../../../lib/operator/stores/event-limit';
import { nextTurn } from '../../../lib/platform/turn';

function limitOf(limit: number) {
  const scene = { now: 0, waiting: 0, looks: 0, isDown: false, told: [] as string[] };
  const events = new Events([
    {
      wants: () => true,
      on: (event: { readonly kind: string }) => {
        scene.told.push(event.kind);
      },
    },
  ]);
  const over = new EventLimit(limit, {
    store: 'Redis',
    clock: { monotonicMs: () => scene.now },
    events,
    lag: async () => {
      scene.looks++;
      if (scene.isDown) throw new Error('no answer');
      return [
        { consumer: 'quick', waiting: 0, oldestAt: null },
        { consumer: 'late', waiting: scene.waiting, oldestAt: 1 },
      ];
    },
  });
  return { scene, over };
}

test('it looks after a hundredth of the limit was committed, and tells of the slowest consumer once', async () => {
  const { scene, over } = limitOf(300);
  scene.waiting = 300;
  expect([over.isOver('op'), over.isOver('op'), scene.looks]).toEqual([false, false, 0]);
  expect(over.isOver('op')).toBe(false);
  await nextTurn();
  expect([scene.looks, over.isOver('op'), over.isOver('other')]).toEqual([1, true, false]);
  for (let commit = 0; commit < 10; commit++) {
    over.isOver('op');
    await nextTurn();
  }
  expect(scene.told).toEqual(['eventsOverLimit']);
  scene.waiting = 299;
  for (let commit = 0; commit < 3; commit++) over.isOver('op');
  await nextTurn();
  expect([over.isOver('op'), scene.told]).toEqual([false, ['eventsOverLimit', 'eventsKeptAgain']]);
});

test('where little is committed it looks once a minute, and one look at a time', async () => {
  const { scene, over } = limitOf(1_000_000);
  over.isOver('op');
  scene.now = 60_000;
  over.isOver('op');
  over.isOver('op');
  expect(scene.looks).toBe(1);
  await nextTurn();
  over.isOver('op');
  expect(scene.looks).toBe(1);
});

test('a server that does not answer changes nothing', async () => {
  const { scene, over } = limitOf(1);
  scene.waiting = 1;
  over.isOver('op');
  await nextTurn();
  expect(over.isOver('op')).toBe(true);
  await nextTurn();
  scene.isDown = true;
  over.isOver('op');
  await nextTurn();
  expect([over.isOver('op'), scene.told]).toEqual([true, ['eventsOverLimit']]);
});
