import { expect, test } from '@jest/globals';

import { readRow } from '../../../lib/operator/minutes/row';
import { createCallWatch, startMinutes } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { KeptMinute, Minutes } from '../../../lib/operator/wallet';
import { fullLogs } from '../../platform/full-logger';
import { VirtualClock } from '../../support/virtual-clock';
import { newYear } from '../operations/fixture';

const first = newYear / 60_000;
const random = { next: () => 0.5, bytes: (count: number) => Buffer.alloc(count, 1) };
const minuteMs = 60_000;

/** The calls that were done in each minute, by its distance from the first one. */
async function savedIn(minutes: Minutes): Promise<[minute: number, done: number][]> {
  const rows = await minutes.list(first, first + 60);
  return rows
    .map(({ minute, text }): [number, number] => [
      minute - first,
      readRow(minute, text)?.outcomes[0] ?? Number.NaN,
    ])
    .toSorted(([one], [other]) => one - other);
}

/** Minutes of a store in memory that answer as the test says. */
function unreliable(minutes: Minutes): Minutes & { save: Minutes['save']; isDown: boolean } {
  const own = {
    isDown: false,
    list: (from: number, to: number) => minutes.list(from, to),
    save: async (row: KeptMinute) => {
      if (own.isDown) throw new Error('no answer');
      return minutes.save(row);
    },
  };
  return own;
}

function rig(minutes?: Minutes) {
  const clock = new VirtualClock(newYear + 20_000);
  const calls = createCallWatch({ clock, random });
  const store = createMemoryStore({ clock });
  const kept = minutes ?? store.minutes;
  const lines: string[] = [];
  const log = (_: unknown, text: string) => void lines.push(text);
  const logger = { debug: log, info: log, warn: log, error: log };
  const start = (of: Minutes = kept) =>
    startMinutes({ store: { minutes: of }, calls, clock, random, logger });
  return { clock, calls, store, lines, start };
}

test('each minute is saved soon after its end, also one without calls', async () => {
  const { clock, calls, store, start } = rig();
  const running = start();
  calls.onOutcome({ status: 200 });
  await clock.pass(44_000);
  expect(await savedIn(store.minutes)).toEqual([]);
  calls.onOutcome({ status: 200 });
  calls.onOutcome({ status: 200 });
  await clock.pass(1000);
  expect(await savedIn(store.minutes)).toEqual([[0, 1]]);
  await clock.pass(2 * minuteMs);
  expect(await savedIn(store.minutes)).toEqual([
    [0, 1],
    [1, 2],
    [2, 0],
  ]);
  await running.stop();
});

test('the minute that runs is saved at the end, and nothing afterwards', async () => {
  const { clock, calls, store, start } = rig();
  const running = start();
  calls.onOutcome({ status: 200 });
  await running.stop();
  expect(await savedIn(store.minutes)).toEqual([[0, 1]]);
  expect(clock.waiting).toBe(0);
});

test('while the store does not answer no call is lost: afterwards ten rows are saved at once, the newest first', async () => {
  const { clock, calls, store, lines, start } = rig();
  const minutes = unreliable(store.minutes);
  const running = start(minutes);
  minutes.isDown = true;
  for (let minute = 0; minute < 15; minute += 1) {
    calls.onOutcome({ status: 200 });
    await clock.pass(minuteMs);
  }
  expect(await savedIn(store.minutes)).toEqual([]);
  expect(lines).toEqual(['calls of a minute could not be saved: tried again']);
  minutes.isDown = false;
  await clock.pass(minuteMs);
  const saved = await savedIn(store.minutes);
  expect(saved.map(([minute]) => minute)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  expect(saved.every(([minute, done]) => done === (minute === 15 ? 0 : 1))).toBe(true);
  await clock.pass(minuteMs);
  const all = await savedIn(store.minutes);
  expect(all.reduce((sum, [, done]) => sum + done, 0)).toBe(15);
  await running.stop();
});

test('a minute that has the rows of 64 other processes is named in the log, and holds no other back', async () => {
  const { clock, calls, store, lines, start } = rig();
  for (let other = 0; other < 64; other += 1) {
    await store.minutes.save({ minute: first, process: `other-${other}`, text: '' });
  }
  const running = start();
  for (let minute = 0; minute < 2; minute += 1) {
    calls.onOutcome({ status: 200 });
    await clock.pass(minuteMs);
  }
  expect(lines).toEqual(['calls of a minute could not be saved: tried again']);
  expect((await savedIn(store.minutes)).filter(([minute]) => minute > 0)).toEqual([[1, 1]]);
  await running.stop();
});

test('the end of a process does not wait for a store that is silent', async () => {
  const { clock, start } = rig();
  const silent: Minutes = { save: () => new Promise(() => {}), list: async () => [] };
  const running = start(silent);
  const before = clock.monotonicMs();
  await clock.run(running.stop());
  expect(clock.monotonicMs() - before).toBe(1000);
});

async function* silentList() {
  await new Promise(() => {});
  yield* [];
}

test('a store that does not list what waits holds no row back: it is not known', async () => {
  const { clock, calls, store } = rig();
  calls.recorder.serve({ operators: ['casino'], debitCheck: null });
  const { minutes } = store;
  const events = { lag: async () => [{ consumer: 'archive', waiting: 3, oldestAt: null }] };
  const running = startMinutes({
    store: { minutes, lists: { attention: silentList }, events },
    calls,
    clock,
    random,
  });
  await clock.pass(minuteMs);
  const [row] = await minutes.list(first, first + 1);
  expect(readRow(first, row?.text ?? '')).toMatchObject({ lag: new Map([['archive', 3]]) });
  expect(readRow(first, row?.text ?? '')?.waiting).toBeUndefined();
  await running.stop();
});

test('a log that fails stops nothing', async () => {
  for (const [, logger] of fullLogs) {
    const { clock, calls, store } = rig();
    const minutes = unreliable(store.minutes);
    const running = startMinutes({ store: { minutes }, calls, clock, random, logger });
    minutes.isDown = true;
    await clock.pass(2 * minuteMs);
    minutes.isDown = false;
    await clock.pass(minuteMs);
    expect(await savedIn(store.minutes)).toHaveLength(3);
    await running.stop();
  }
});

test('after the clock was set back, minutes are saved as it shows them', async () => {
  const { clock, calls, store, start } = rig();
  const running = start();
  await clock.pass(3 * minuteMs);
  clock.setWallClock(-2 * minuteMs);
  calls.onOutcome({ status: 200 });
  await clock.pass(minuteMs);
  expect(await savedIn(store.minutes)).toEqual([
    [0, 0],
    [1, 1],
    [2, 0],
  ]);
  await running.stop();
});

test('a store without minutes, and calls that are no watch, are refused', () => {
  const { calls, store } = rig();
  expect(() => startMinutes({ store: {}, calls })).toThrow(
    new TypeError('startMinutes: the store keeps no minutes'),
  );
  for (const wrong of [undefined, null, {}, { recorder: {} }]) {
    expect(() => startMinutes({ store, calls: wrong as never })).toThrow(
      new TypeError('startMinutes: calls must be made by createCallWatch'),
    );
  }
});
