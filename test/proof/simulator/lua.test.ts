import { expect, test } from '@jest/globals';
import { generatePlan, playPlan, playSeries } from '../../../lib/proof/simulator';
import { openRedisModel as openHost } from '../../servers/in-process/redis/host';

test('over the scripts of Redis every book is right, whatever happens at any command', async () => {
  const { failed } = await playSeries({
    seed: 1,
    calls: 60,
    callsAWorld: 60,
    store: 'lua',
    openHost,
  });
  expect(failed?.played.violation ?? null).toBeNull();
});

test('a world over the scripts has one trace', async () => {
  const plan = generatePlan({ seed: 7, calls: 30, store: 'lua' });
  const { hash } = await playPlan(plan, { openHost });
  expect((await playPlan(plan, { openHost, drain: 'turn' })).hash).toBe(hash);
});

test('a world over a server needs one', async () => {
  const plan = generatePlan({ seed: 1, calls: 1, store: 'lua' });
  await expect(playPlan(plan)).rejects.toThrow('the store lua needs the option openHost');
});
