import { expect, test } from '@jest/globals';
import { systemClock, systemRandom } from '../../lib/platform';
import { give, openingOf, real, reverse, take } from '../../lib/proof/contracts/changes';
import { generatePlan, playPlan, playSeries } from '.';
import { openRedisModel as openHost } from '../servers/in-process/redis/host';

test('over the scripts of Redis every book is right, whatever happens at any command', async () => {
  const { failed, events } = await playSeries({
    seed: 2,
    calls: 60,
    callsAWorld: 60,
    store: 'lua',
    openHost,
  });
  expect(failed?.played.violation ?? null).toBeNull();
  expect(events.get('events: a page')).toBeGreaterThan(0);
});

test('a world over the scripts has one trace', async () => {
  const plan = generatePlan({ seed: 7, calls: 30, store: 'lua' });
  const { hash } = await playPlan(plan, { openHost });
  expect((await playPlan(plan, { openHost, drain: 'turn' })).hash).toBe(hash);
});

test('the oracle of overdrafts watches every commit that takes a stake and takes nothing back', async () => {
  const host = await openHost(systemClock);
  const watched: boolean[] = [];
  const store = host.connect({
    clock: systemClock,
    random: systemRandom,
    carry: (command, work) => {
      if (command.what === 'evalsha commit') watched.push(command.takes);
      return work();
    },
  });
  const player = { operatorId: 'op', playerId: 'ann' };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '10' } });
  const changes = [
    [take('stake', 5n)],
    [take('bonus first', 5n, { bonusFirst: true })],
    [take('free play', 0n)],
    [give('win', real(5n))],
    [take('stake', 5n), reverse('win', real(-5n))],
  ];
  for (const [at, parts] of changes.entries()) {
    await store.rounds.commit({ ...player, gameRound: `round ${at}` }, openingOf(parts));
  }
  expect(watched).toEqual([true, true, false, false, false]);
  await store.close();
  await host.close();
});

test('a world over a server needs one', async () => {
  const plan = generatePlan({ seed: 1, calls: 1, store: 'lua' });
  await expect(playPlan(plan)).rejects.toThrow('the store lua needs the option openHost');
});
