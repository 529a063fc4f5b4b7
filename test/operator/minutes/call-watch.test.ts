import { afterEach, expect, test } from '@jest/globals';

import type { CallWatch } from '../../../lib/operator/operations';
import { createCallWatch } from '../../../lib/operator/operations';
import { LeapingClock } from '../../platform/leaping-clock';
import { until } from '../../servers/until';
import { VirtualClock } from '../../support/virtual-clock';
import { bodyOf, createRig, credit, debit, end, type Rig } from '../http/rig';
import { newYear } from '../operations/fixture';

let rig: Rig | null = null;

afterEach(async () => {
  await rig?.close();
  rig = null;
});

const firstMinute = newYear / 60_000;

/** How many calls were counted by outcome: done, declined, unknown, shed, foreign; and how many times. */
function counted({ recorder }: CallWatch): readonly [outcomes: readonly number[], times: number] {
  const sums = [0, 0, 0, 0, 0];
  let timed = 0;
  const now = Math.floor(Date.now() / 60_000);
  for (const { outcomes, times } of recorder.minutes(now - 9, now + 1)) {
    for (const [at, calls] of outcomes.entries()) sums[at] = (sums[at] ?? 0) + calls;
    timed += times.reduce((sum, calls) => sum + calls, 0);
  }
  return [sums, timed];
}

test('a watch counts the calls of this minute and the five before it, and forgets earlier ones', async () => {
  const clock = new VirtualClock(newYear + 30_000);
  const watch = createCallWatch({ clock });
  expect(watch.read()).toMatchObject({ lastProcessed: null, processed: 0, unknown: 0, shed: 0 });
  for (const status of [200, 400, 503]) watch.onOutcome({ status });
  await clock.pass(5 * 60_000);
  watch.onOutcome({ status: 500 });
  expect(watch.read()).toEqual({
    watchedSince: '2026-01-01T00:00:30.000Z',
    lastProcessed: '2026-01-01T00:00:30.000Z',
    processed: 2,
    unknown: 2,
    shed: 0,
  });
  await clock.pass(30_000);
  expect(watch.read()).toMatchObject({ processed: 0, unknown: 1 });
});

test('a call of credits that are answered 400 as unknown (9007) is not one that moved money', () => {
  const calls = createCallWatch({ clock: new VirtualClock(newYear) });
  const unknown = { outcome: 'unknown' } as const;
  calls.onOutcome({ status: 400, transactions: [unknown, { outcome: 'processed' }] });
  expect(calls.read()).toMatchObject({ lastProcessed: null, processed: 0, unknown: 1 });
  calls.onOutcome({ status: 400, transactions: [{ outcome: 'refused' }] });
  expect(calls.read()).toMatchObject({ processed: 1, unknown: 1 });
});

test('a wallet counts each call by how it ended', async () => {
  const calls = createCallWatch();
  rig = await createRig({ calls, clock: new LeapingClock() });
  await rig.call([debit(), credit(), end]);
  await rig.call([debit(), credit(), end]);
  await rig.call([debit(1000, { hash: 'd2' })], { gameRound: 'round-2' });
  await rig.call([debit()], { transactionCount: 7 });
  await rig.send(rig.signer.doTransactions(bodyOf([debit()])), { 'X-H-AUTH-ID': 'nobody' });
  await rig.send(rig.signer.getBalance({ playerId: 'p', currency: 'EUR' }));
  expect(counted(calls)).toEqual([[2, 2, 0, 0, 1], 4]);
  rig.store.fail('commit', 'unknown');
  await rig.call([debit()], { gameRound: 'round-3' });
  expect(counted(calls)).toEqual([[2, 2, 1, 0, 1], 5]);
});

test('a call that is shed is counted as such, without a time', async () => {
  const calls = createCallWatch();
  const own = await createRig({ calls, maxInFlight: 4, clock: new LeapingClock() });
  rig = own;
  own.store.fail('commit', 'hang');
  own.store.onHang = () => {};
  const held = [1, 2, 3].map((at) => own.call([debit()], { gameRound: `held-${at}` }));
  await until('three calls in flight', () => own.store.hanging === 3);
  await own.call([debit()]);
  expect(counted(calls)).toEqual([[0, 0, 0, 1, 0], 0]);
  own.store.heal();
  await Promise.all(held);
});

test('rounds that are shed before they are verified are counted with the line of the log', () => {
  const calls = createCallWatch();
  calls.recorder.listener.on({ kind: 'roundsShed', shed: 'void', count: 7 });
  expect(counted(calls)).toEqual([[0, 0, 0, 7, 0], 0]);
  expect(calls.read()).toMatchObject({ shed: 7, lastProcessed: null });
});

test('a day of minutes is kept', async () => {
  const clock = new VirtualClock(newYear);
  const { onOutcome, recorder } = createCallWatch({ clock });
  for (let minute = 0; minute < 1450; minute += 1) {
    if (minute % 2 === 0) onOutcome({ status: 200, durationMs: minute });
    await clock.pass(60_000);
  }
  const kept = recorder.minutes(firstMinute, firstMinute + 1450);
  expect(kept).toHaveLength(720);
  expect(kept[0]?.minute).toBe(firstMinute + 10);
  expect(kept.at(-1)?.minute).toBe(firstMinute + 1448);
  expect(recorder.minutes(firstMinute + 20, firstMinute + 23).map(({ minute }) => minute)).toEqual([
    firstMinute + 20,
    firstMinute + 22,
  ]);
});

test('a clock that is set back counts on in the minutes that it shows', async () => {
  const clock = new VirtualClock(newYear);
  const { onOutcome, recorder } = createCallWatch({ clock });
  onOutcome({ status: 200 });
  await clock.pass(60_000);
  onOutcome({ status: 200 });
  clock.setWallClock(-60_000);
  onOutcome({ status: 200 });
  const sums = recorder
    .minutes(firstMinute, firstMinute + 9)
    .map(({ minute, outcomes }) => [minute, outcomes[0]]);
  expect(sums).toEqual([
    [firstMinute, 2],
    [firstMinute + 1, 1],
  ]);
});

test('a process has another name each time it starts', () => {
  const names = [1, 2, 3].map(() => createCallWatch().recorder.process);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[\w-]{12}$/);
});
