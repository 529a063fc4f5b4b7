import { describe, expect, test } from '@jest/globals';

import { createCallWatch, startMinutes } from '../../../lib/operator/operations';
import type { CallsView } from '../../../lib/operator/operations/view/minutes';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  type Minutes,
  StoreUnavailableError,
  type WalletStore,
} from '../../../lib/operator/wallet';
import { VirtualClock } from '../../support/virtual-clock';
import {
  hostile,
  newYear,
  open,
  operatorId,
  putRound,
  storeWithAnn,
  verdictOf,
  wordsOf,
} from './fixture';

test('calls of credits alone that were answered 400 as unknown (9007) are failures on the start page', async () => {
  const calls = createCallWatch({ clock: new VirtualClock(newYear) });
  calls.onOutcome({ status: 400, transactions: [{ outcome: 'unknown' }] });
  const { text } = await open(await storeWithAnn(), { calls }).get('/');
  expect(verdictOf(text)).toBe('No money moves: every call fails');
});

test.each<[string, number[], string]>([
  ['without a call', [], 'The store is ready'],
  ['with calls', Array<number>(200).fill(200).concat(503), 'Money is moving'],
  ['with failed calls', [200, 503], 'Money is moving, but 50 % of the calls fail'],
  ['with failed calls alone', [503, 503], 'No money moves: every call fails'],
])('the start page says whether money moves, %s', async (_, statuses, said) => {
  const calls = createCallWatch();
  for (const status of statuses) calls.onOutcome({ status });
  const { text } = await open(await storeWithAnn(), { calls }).get('/');
  expect(verdictOf(text)).toBe(said);
});

/** Two processes over one store, which answered these calls a minute in the hour before the clock's now. */
async function twoProcesses() {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock });
  const watches = [createCallWatch({ clock }), createCallWatch({ clock })] as const;
  const running = watches.map((calls) => startMinutes({ store, calls, clock }));
  for (let minute = 0; minute < 60; minute += 1) {
    watches[0].onOutcome({ status: 200, durationMs: 5 });
    for (const durationMs of [10, 900]) watches[1].onOutcome({ status: 200, durationMs });
    if (minute === 31) watches[1].onOutcome({ status: 503, durationMs: 5000 });
    await clock.pass(60_000);
  }
  await clock.pass(20_000);
  return { clock, store, watches, stop: () => Promise.all(running.map((one) => one.stop())) };
}

async function viewOf(
  store: WalletStore,
  options: Parameters<typeof open>[1],
): Promise<CallsView | null> {
  const { minutes } = (await open(store, options).get('/attention.json')).json() as {
    minutes: CallsView | null;
  };
  return minutes;
}

describe('whether money moves', () => {
  test('is said of all processes, also by one that gets no calls', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    const calls = createCallWatch({ clock: new VirtualClock(newYear) });
    const idle = open(store, { calls, clock });
    const { text } = await idle.get('/');
    expect(verdictOf(text)).toBe('Money is moving');
    expect(wordsOf(text)).toContain(
      'All processes: last call 1 min ago; in the last five minutes 15 calls, 0 with an unknown outcome.',
    );
    for (let minute = 0; minute < 2; minute += 1) {
      for (let call = 0; call < 9; call += 1) watches[1].onOutcome({ status: 503 });
      await clock.pass(60_000);
    }
    expect(verdictOf((await idle.get('/')).text)).toBe(
      'Money is moving, but 67 % of the calls fail',
    );
    await stop();
  });

  test('is said with a past burst of calls without an outcome, until an hour later', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    const burst = '1 unknown and 0 shed from 00:30 to 00:35: over.';
    const seen = async (): Promise<boolean> => {
      watches[0].onOutcome({ status: 200 });
      const { text } = await open(store, { calls: watches[0], clock }).get('/');
      expect(verdictOf(text)).toBe('Money is moving');
      return wordsOf(text).includes(burst);
    };
    expect(await seen()).toBe(true);
    await clock.pass(34 * 60_000);
    expect(await seen()).toBe(true);
    await clock.pass(60_000);
    expect(await seen()).toBe(false);
    await stop();
  });
});

describe('the figures of the calls', () => {
  test('have those of every process over the store, whichever is asked', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    for (const calls of watches) {
      const view = await viewOf(store, { calls, clock });
      expect(view).toMatchObject({ of: 'all processes', processes: 2, since: null });
      const counted = view?.columns.filter(({ done }) => done !== null) ?? [];
      expect(view?.columns).toHaveLength(36);
      expect(counted.map(({ done }) => done)).toEqual([...Array<number>(12).fill(15), 0]);
      expect(counted.map(({ unknown }) => unknown)).toEqual([
        0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
      ]);
      expect(counted[0]).toMatchObject({ from: '2026-01-01T00:00:00.000Z', declined: 0, shed: 0 });
      const { p50 = null, p99 = null } = counted[0] ?? {};
      expect(Math.abs((p50 ?? 0) / 10 - 1)).toBeLessThan(0.15);
      expect(Math.abs((p99 ?? 0) / 900 - 1)).toBeLessThan(0.15);
    }
    await stop();
  });

  test('are drawn on the start page, with the same numbers in their tables, in the zone of the reader', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    const options = { calls: watches[0], clock, timeZone: 'Europe/Malta' };
    const { text } = await open(store, options).get('/');
    expect(text).toContain('calls of all processes; 2 now');
    expect(text).toContain('15 calls from 01:55 to 02:00: 3 a minute.');
    expect(text).toContain('1 unknown and 0 shed, all from 01:30 to 01:35; 0 declined in all.');
    expect(text).toMatch(
      /Half within [\d.]+ ms, 99 of 100 within \d+ ms, from 01:55 to 02:00\. The scale is logarithmic\./,
    );
    expect(text).toContain('<th scope="col">from, Europe/Malta</th>');
    expect(text.match(/role="img"/g)).toHaveLength(4);
    expect(text).not.toMatch(/NaN|Infinity| style="/);
    expect(Buffer.byteLength(text)).toBeLessThan(100_000);
    await stop();
  });

  test('say that they are of one process, and since when, if the store has no rows', async () => {
    const clock = new VirtualClock(newYear + 7 * 60_000);
    const calls = createCallWatch({ clock });
    calls.onOutcome({ status: 200 });
    await clock.pass(60_000);
    const store = await storeWithAnn();
    const view = await viewOf(store, { calls, clock });
    expect(view).toMatchObject({ of: 'this process', since: '2026-01-01T00:07:00.000Z' });
    expect(view?.columns.filter(({ done }) => done !== null).map(({ done }) => done)).toEqual([1]);
    const { text } = await open(store, { calls, clock }).get('/');
    expect(text).toContain('calls of this process alone since Thu 1 Jan, 00:07');
    expect(text).toContain('No five minutes are counted yet.');
  });

  test('are of this process, and say why, while the store does not answer', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    const silent: Minutes = {
      save: async () => false,
      list: async () => {
        throw new StoreUnavailableError('10.1.2.3 is down');
      },
    };
    const broken = { ...store, minutes: silent };
    const view = await viewOf(broken, { calls: watches[0], clock });
    expect(view).toMatchObject({ of: 'this process: the store did not answer', processes: 1 });
    const { text } = await open(broken, { calls: watches[0], clock }).get('/');
    expect(text).toMatch(/calls of this process alone since [^<]*: the store did not answer/);
    expect(text).not.toContain('10.1.2.3');
    await stop();
  });

  test('are not there if nothing counts calls', async () => {
    const store = await storeWithAnn();
    expect(await viewOf(store, {})).toBeNull();
    expect((await open(store).get('/')).text).not.toContain('The last hours');
  });

  test('leave out rows that no process of ours has written', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    const minute = Math.floor(clock.now() / 60_000) - 10;
    for (const [at, text] of ['', hostile, '2 1,1,1,1,1 ,', '1 9,9,9,9,9 1'].entries()) {
      await store.minutes.save({ minute, process: `other-${at}`, text });
    }
    const view = await viewOf(store, { calls: watches[0], clock });
    const sum = view?.columns.reduce((all, { done }) => all + (done ?? 0), 0);
    expect(sum).toBe(180);
    await stop();
  });

  test.each<[string, number, string, number]>([
    ['a row is of a later version', -10, '2 1,1,1,1,1 ,', 1],
    ['a minute has the most rows that are kept', -10, `1 0,0,0,0,0 ${','.repeat(31)}`, 64],
    ['the clock of a process is nine minutes ahead', 9, `1 0,0,0,0,0 ${','.repeat(31)}`, 1],
  ])('say that they are not whole if %s', async (_, distance, text, count) => {
    const { clock, store, watches, stop } = await twoProcesses();
    const options = { calls: watches[0], clock };
    expect((await open(store, options).get('/')).text).toContain('calls of all processes; 2 now<');
    expect(await viewOf(store, options)).toMatchObject({ isWhole: true });
    await clock.pass(5000);
    const minute = Math.floor(clock.now() / 60_000) + distance;
    for (let other = 0; other < count; other += 1) {
      await store.minutes.save({ minute, process: `other-${other}`, text });
    }
    expect(await viewOf(store, options)).toMatchObject({ isWhole: false });
    const page = (await open(store, options).get('/')).text;
    expect(page).toMatch(
      /calls of all processes; \d now\. At least these: not every row could be counted/,
    );
    await stop();
  });

  test('of many readers cost one read of the store in five seconds', async () => {
    const { clock, store, watches, stop } = await twoProcesses();
    let reads = 0;
    const minutes: Minutes = {
      save: (row) => store.minutes.save(row),
      list: (from, to) => {
        reads += 1;
        return store.minutes.list(from, to);
      },
    };
    const browser = open({ ...store, minutes }, { calls: watches[0], clock });
    await Promise.all(Array.from({ length: 10 }, () => browser.get('/attention.json')));
    expect(reads).toBe(1);
    await clock.pass(5000);
    await browser.get('/attention.json');
    expect(reads).toBe(2);
    await stop();
  });
});

describe('a page of lists and figures', () => {
  test('is loaded again only if its reader says so', async () => {
    const clock = new VirtualClock(newYear);
    const browser = open(await storeWithAnn(), { clock });
    const until = newYear / 1000 + 1800;
    const lists = ['waiting', 'open', 'pending', 'repairs', 'repair-log', 'money', 'history'];
    for (const path of ['', ...lists, 'changes', 'reconciliation', 'system'].map(
      (one) => `/${one}`,
    )) {
      expect((await browser.get(path)).text).not.toContain('http-equiv="refresh"');
      const { text } = await browser.get(`${path}?live=10`);
      expect(text).toContain(
        `<meta http-equiv="refresh" content="10;url=?live=10&amp;until=${until}">`,
      );
    }
    await clock.pass(30 * 60_000);
    const { text } = await browser.get(`/?live=10&until=${until}`);
    expect(text).not.toContain('http-equiv="refresh"');
    expect(text).toContain('Refreshing ended after 30 minutes.');
  });

  test('is the only one: a form that writes is never loaded anew', async () => {
    const browser = open(await storeWithAnn());
    for (const path of ['/player?player=ann', '/person', '/search', '/nowhere']) {
      const { text } = await browser.get(`${path}${path.includes('?') ? '&' : '?'}live=10`);
      expect(text).not.toContain('http-equiv="refresh"');
      expect(text).not.toContain('Refresh off');
    }
  });
});

test('what waits for a person and for each consumer is counted every five minutes, and rows without it are not known', async () => {
  const clock = new VirtualClock(newYear + 60 * 60_000);
  const store = createMemoryStore({ clock, events: ['archive'] });
  const calls = createCallWatch({ clock });
  const running = startMinutes({ store, calls, clock });
  await clock.pass(9 * 60_000);
  calls.recorder.serve({ operators: [operatorId], debitCheck: null });
  for (const [at, hours] of [0.5, 1, 2, 30].entries()) {
    await putRound(
      store,
      { operatorId, gameRound: `r${at}` },
      'stranded',
      clock.now() - hours * 3_600_000,
    );
  }
  await clock.pass(6 * 60_000);
  const view = await viewOf(store, { calls, clock });
  const none = Array<null>(35).fill(null);
  const waiting = { underHour: 1, underDay: 2, over: 1, isWhole: true };
  expect(view?.columns.map((one) => one.waiting)).toEqual([...none.slice(1), waiting, null]);
  expect(view?.lags).toEqual([{ consumer: 'archive', waiting: [...none.slice(1), 4, null] }]);
  const page = await open(store, { calls, clock }).get('/');
  expect(page.text).toContain(
    '4 rounds when they were counted last: 1 for over a day, 2 for an hour to a day.',
  );
  await clock.pass(6 * 60_000);
  const { text } = await open(store, { calls, clock }).get('/');
  expect(text).toContain('aria-label="In the last three hours at most 4."');
  expect(text).toContain('aria-label="In the last three hours at most 4 waited."');
  await running.stop();
});

test('what waits is that of the operators of the page, also where processes serve others over one store', async () => {
  const clock = new VirtualClock(newYear);
  const store = createMemoryStore({ clock, events: ['archive'] });
  const others = [[operatorId], ['other'], ['other', operatorId]];
  const running = others.map((operators) => {
    const calls = createCallWatch({ clock });
    calls.recorder.serve({ operators, debitCheck: null });
    return startMinutes({ store, calls, clock });
  });
  await putRound(store, { operatorId, gameRound: 'r' }, 'stranded', clock.now());
  for (const gameRound of ['s', 't'])
    await putRound(store, { operatorId: 'other', gameRound }, 'stranded', clock.now());
  await clock.pass(90_000);
  for (const [operators, waits] of [
    [[operatorId], 1],
    [['other'], 2],
    [[operatorId, 'other'], 3],
    [['third'], null],
  ] as const) {
    const view = await viewOf(store, { operators, clock });
    expect(view?.columns.at(-1)?.waiting?.underHour ?? null).toBe(waits);
    expect(view?.lags[0]?.waiting.at(-1) ?? null).toBe(waits);
  }
  await Promise.all(running.map((one) => one.stop()));
});
