import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import {
  bucketCount,
  bucketEnds,
  bucketOf,
  timeOfShare,
} from '../../../lib/operator/minutes/counts';
import { readRow, rowOf } from '../../../lib/operator/minutes/row';
import { longestMinute } from '../../../lib/operator/wallet';

/** The counts of these times. */
function timesOf(times: readonly number[]): number[] {
  const counts = Array.from({ length: bucketCount }, () => 0);
  for (const ms of times) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1;
  return counts;
}

/** Whether the bucket of a time ends above it, and the one before does not. */
function isWithin(ms: number): boolean {
  const at = bucketOf(ms);
  return ms < (bucketEnds[at] ?? Infinity) && (at === 0 || ms >= (bucketEnds[at - 1] ?? 0));
}

test('each time is in the bucket that ends above it', () => {
  const all = Array.from({ length: 6000 }, (_, ms) => ms);
  expect(all.filter((ms) => !isWithin(ms))).toEqual([]);
  expect([-1, 0, 0.9, 1, 5e9, Number.NaN].map(bucketOf)).toEqual([0, 0, 0, 1, 31, 31]);
});

test('the time of a share is off by less than 15 % from 1 to 5,000 ms', () => {
  const times = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(times, fc.constantFrom(0.5, 0.95, 0.99), (all, share) => {
      const sorted = all.toSorted((one, other) => one - other);
      const exact = sorted[Math.ceil(all.length * share) - 1] ?? Number.NaN;
      const found = timeOfShare(timesOf(all), share) ?? Number.NaN;
      expect(Math.abs(found / exact - 1)).toBeLessThan(0.15);
    }),
  );
});

test('no calls have no time, and times beyond the buckets have that of their end', () => {
  expect(timeOfShare(timesOf([]), 0.5)).toBeNull();
  expect(timeOfShare(timesOf([0, 0, 0]), 0.99)).toBe(1);
  expect(timeOfShare(timesOf([60_000]), 0.5)).toBe(bucketEnds.at(-1));
});

const count = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('a row is read as it was written, and fits into the store', () => {
  const counts = fc.record({
    minute: fc.constant(7),
    outcomes: fc.array(count, { minLength: 5, maxLength: 5 }),
    times: fc.array(fc.oneof(fc.constant(0), count), { minLength: 32, maxLength: 32 }),
  });
  const waiting = fc.tuple(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000));
  const notes = fc.record({ version: fc.string({ maxLength: 9 }), waiting }, { requiredKeys: [] });
  fc.assert(
    fc.property(counts, notes, (one, more) => {
      const text = rowOf(one, more);
      expect(text).toMatch(/^[ -~]*$/);
      expect(text.length).toBeLessThanOrEqual(longestMinute);
      expect([{ ...one, ...more }, one]).toContainEqual(readRow(7, text));
    }),
  );
});

test('the notes of a row are read as they were written; a lag that does not fit is not known, and neither is that of other text', () => {
  const one = { minute: 7, outcomes: [1, 2, 3, 4, 5], times: timesOf([1, 2, 3]) };
  const notes = { version: '1.2.3', scope: 'Zb1-x_9Q', waiting: [1, 2, 3] as const };
  const lag = new Map([
    ['archive', 12],
    ['\u00fcber "all"', 0],
  ]);
  expect(readRow(7, rowOf(one, { ...notes, lag }))).toEqual({ ...one, ...notes, lag });
  const long = new Map([['x'.repeat(500), 1]]);
  expect(readRow(7, rowOf(one, { ...notes, lag: long }))).toEqual({ ...one, ...notes });
  for (const text of ['{x}', '{"waiting":[1,2]}', '{"waiting":[1,2,-3],"lag":{"a":"1"}}', '{}']) {
    expect(readRow(7, `${rowOf(one)} ${text}`)).toEqual(one);
  }
});

test('any other text is not read as a row', () => {
  const row = rowOf({ minute: 7, outcomes: [1, 2, 3, 4, 5], times: timesOf([1, 2, 3]) });
  const wrong = [
    '',
    '1',
    row.replace(/^1/, '2'),
    `${row},`,
    `${row}x`,
    ` ${row}`,
    `${row}\n`,
    row.replace('1,2', '1e3,2'),
    row.replace('1,2', '-1,2'),
    row.replace('1,2', '1.5,2'),
    row.replace('1,2', '12345678901,2'),
    ','.repeat(512),
  ];
  expect(wrong.map((text) => readRow(7, text))).toEqual(wrong.map(() => null));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 512 }), (text) => {
      expect(readRow(7, text)).toBeNull();
    }),
  );
});
