import assert from 'node:assert/strict';
import { playerWith } from '../../../lib/proof/contracts/case';
import { credit, debit, voidOf } from '../../../lib/proof/contracts/repairs/round-play';
import type { Case } from '../../../lib/proof/contracts/suite';
import { nextWindow } from './model/calendar';
import { at, call, limited, limitsAt, usedOf, type World } from './case';
import { limitOf } from './orders';

const minuteMs = 60_000;
const midnight = Date.UTC(2026, 10, 26);

/** When money counts, and what a void takes back (D13.2, D13.4, D13.5). */
export function windowRules(it: Case<World>): void {
  it('a void takes back what its debit counted in the same window, and nothing of an earlier day', async (world) => {
    const [process] = at(world, midnight - 5 * minuteMs);
    const round = await playerWith(process.store.players, 1000n);
    for (const window of ['day', 'week'] as const)
      await limited(process, round, limitOf(100n, { window }));
    await call(process, round, [debit('a', 40n, true)]);
    await call(process, round, [debit('b', 20n)]);
    await call(process, round, [voidOf('b')]);
    await call(process, round, [debit('c', 30n)]);
    at(world, midnight + minuteMs);
    await call(process, round, [debit('d', 20n)]);
    await call(process, round, [voidOf('c')]);
    const { limits } = await limitsAt(process, round);
    assert.deepEqual(
      Array.from(limits, ({ used }) => used),
      [20n, 60n],
    );
    await call(process, round, [voidOf('a')]);
    const voided = await limitsAt(process, round);
    assert.deepEqual(
      Array.from(voided.limits, ({ used }) => used),
      [0n, 0n],
    );
  });

  it('a void of a debit from before the limit gives no room: it counted nothing', async (world) => {
    const [process] = at(world, midnight - 5 * minuteMs);
    const round = await playerWith(process.store.players, 1000n);
    await call(process, round, [debit('a', 10n, true)]);
    await call(process, round, [debit('b', 300n)]);
    at(world, midnight - 4 * minuteMs);
    await limited(process, round, limitOf(100n));
    at(world, midnight - 3 * minuteMs);
    await call(process, round, [voidOf('b')]);
    assert.equal(await usedOf(process, round), 0n);
    assert.deepEqual(await call(process, round, [debit('c', 101n)]), ['LIMITREACHED']);
    await call(process, round, [voidOf('a')]);
    assert.equal(await usedOf(process, round), 0n);
  });

  it('a credit reduces the loss of the window in which it comes, below zero too', async (world) => {
    const [process] = at(world, midnight - minuteMs);
    const round = await playerWith(process.store.players, 1000n);
    await limited(process, round, limitOf(100n, { kind: 'loss' }));
    await call(process, round, [debit('a', 100n, true)]);
    at(world, midnight + minuteMs);
    await call(process, round, [credit('w', 70n)]);
    assert.equal(await usedOf(process, round), -70n);
    assert.deepEqual(await call(process, round, [debit('b', 171n)]), ['LIMITREACHED']);
    assert.deepEqual(await call(process, round, [debit('c', 170n)]), ['processed']);
  });

  it('a process whose clock is slow counts into the window that has begun', async (world) => {
    const [ahead, slow] = at(world, midnight + 5 * minuteMs, 10 * minuteMs);
    const round = await playerWith(ahead.store.players, 1000n);
    await limited(slow, round, limitOf(100n));
    await call(slow, round, [debit('a', 90n, true)]);
    assert.deepEqual(await call(ahead, round, [debit('b', 60n)]), ['processed']);
    assert.deepEqual(await call(slow, round, [debit('c', 41n)]), ['LIMITREACHED']);
    assert.deepEqual(await call(slow, round, [debit('d', 40n)]), ['processed']);
    for (const process of [ahead, slow]) assert.equal(await usedOf(process, round), 100n);
  });

  it('a process whose clock is slow blocks longer', async (world) => {
    const [ahead, slow] = at(world, midnight, 10 * minuteMs);
    const round = await playerWith(ahead.store.players, 1000n);
    const until = midnight + minuteMs;
    await ahead.store.players.setBlocked(round, true, { until });
    assert.deepEqual(await call(ahead, round, [debit('a', 1n, true)]), ['DEBITREFUSED']);
    at(world, until + 1, 10 * minuteMs);
    assert.deepEqual(await call(slow, { ...round, gameRound: 'b' }, [debit('b', 1n, true)]), [
      'DEBITREFUSED',
    ]);
    const free = { ...round, gameRound: 'c' };
    assert.deepEqual(await call(ahead, free, [debit('c', 1n, true)]), ['processed']);
    assert.deepEqual(await call(slow, free, [credit('w', 1n)]), ['processed']);
    assert.deepEqual(await call(slow, free, [debit('d', 1n)]), ['DEBITREFUSED']);
  });

  it('a window ends with the day, week or month of its zone, on days of 23 and 25 hours too', async (world) => {
    const starts = [
      Date.UTC(2026, 9, 25, 0, 30),
      Date.UTC(2027, 2, 28, 0, 30),
      Date.UTC(2027, 0, 1),
    ];
    for (const zone of ['Europe/Stockholm', 'America/Santiago', 'Australia/Lord_Howe']) {
      for (const start of starts) {
        for (const window of ['day', 'week', 'month'] as const)
          await edge(world, { zone, start, window });
      }
    }
  });
}

/** Uses up a limit, and tries again right before and at the moment of the next window. */
async function edge(
  world: World,
  { zone, start, window }: { zone: string; start: number; window: 'day' | 'week' | 'month' },
): Promise<void> {
  const [process] = at(world, start);
  const round = await playerWith(process.store.players, 1000n);
  await limited(process, round, limitOf(100n, { zone, window }));
  await call(process, round, [debit('a', 100n, true)]);
  const { limits } = await limitsAt(process, round);
  const resetsAt = nextWindow(zone, window, start);
  assert.equal(limits[0]?.resetsAt, resetsAt, `a ${window} in ${zone}`);
  at(world, resetsAt - 1);
  assert.deepEqual(await call(process, round, [debit('b', 1n)]), ['LIMITREACHED']);
  at(world, resetsAt);
  assert.deepEqual(await call(process, round, [debit('c', 100n)]), ['processed']);
  assert.equal(await usedOf(process, round), 100n);
}
