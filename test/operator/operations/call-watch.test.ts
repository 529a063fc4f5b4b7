import { expect, test } from '@jest/globals';

import { createCallWatch } from '../../../lib/operator/operations';
import { VirtualClock } from '../../support/virtual-clock';
import { newYear, open, storeWithAnn, verdictOf } from './fixture';

test('a watch counts the calls of the last five minutes, and forgets older ones', async () => {
  const clock = new VirtualClock(newYear);
  const watch = createCallWatch({ clock });
  expect(watch.read()).toMatchObject({ lastProcessed: null, processed: 0, unknown: 0 });
  for (const status of [200, 400, 503]) watch.onOutcome({ status });
  await clock.pass(299_000);
  watch.onOutcome({ status: 500 });
  expect(watch.read()).toEqual({
    watchedSince: '2026-01-01T00:00:00.000Z',
    lastProcessed: '2026-01-01T00:00:00.000Z',
    processed: 2,
    unknown: 2,
  });
  await clock.pass(1000);
  expect(watch.read()).toMatchObject({ processed: 0, unknown: 1 });
});

test('a call of credits that are answered 400 as unknown (9007) is not one that moved money', async () => {
  const calls = createCallWatch({ clock: new VirtualClock(newYear) });
  const unknown = { outcome: 'unknown' } as const;
  calls.onOutcome({ status: 400, transactions: [unknown, { outcome: 'processed' }] });
  expect(calls.read()).toMatchObject({ lastProcessed: null, processed: 0, unknown: 1 });
  const { text } = await open(await storeWithAnn(), { calls }).get('/');
  expect(verdictOf(text)).toBe('No money moves: every call fails');
  calls.onOutcome({ status: 400, transactions: [{ outcome: 'refused' }] });
  expect(calls.read()).toMatchObject({ processed: 1, unknown: 1 });
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
