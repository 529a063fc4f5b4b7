import { describe, expect, test } from '@jest/globals';

import { partsOfPeriod, periodOf } from '../../../../lib/operator/operations/view/money/period';
import { ZoneDays } from '../../../../lib/platform/time/zone-days';

function hours(zone: string, day: string): string[] {
  const parts = partsOfPeriod(periodOf(day, 'day'), new ZoneDays(zone));
  return parts.map(({ name, from, to }) => (to - from === 4 ? name : `${name} (${to - from})`));
}

const usual = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

describe('a day has a column for each hour on the clock', () => {
  test('also in a zone that is not a whole number of hours from UTC', () => {
    expect(hours('UTC', '2026-11-23')).toEqual(usual);
    expect(hours('Asia/Kathmandu', '2026-11-23')).toEqual(usual);
  });

  test('so one of 23 hours lacks the hour that is left out', () => {
    expect(hours('Europe/Malta', '2026-03-29')).toEqual(usual.filter((name) => name !== '02'));
  });

  test('and in one of 25 hours the hour that comes twice is a and b', () => {
    expect(hours('Europe/Malta', '2026-10-25')).toEqual([
      ...usual.slice(0, 2),
      '02a',
      '02b',
      ...usual.slice(3),
    ]);
  });

  test('where the clock goes back by half an hour, that half is a column of its own', () => {
    const found = hours('Australia/Lord_Howe', '2026-04-05');
    expect(found.slice(0, 4)).toEqual(['00', '01a', '01b (2)', '02']);
    expect(found).toHaveLength(25);
  });
});

test.each([
  ['2026-11-23', 'week', '2026-11-23', '2026-11-29'],
  ['2026-11-29', 'week', '2026-11-23', '2026-11-29'],
  ['2027-01-01', 'week', '2026-12-28', '2027-01-03'],
  ['2026-12-31', 'month', '2026-12-01', '2026-12-31'],
  ['2028-02-10', 'month', '2028-02-01', '2028-02-29'],
  ['2026-11-23', 'day', '2026-11-23', '2026-11-23'],
] as const)('%s lies in the %s from %s to %s', (day, span, first, last) => {
  expect(periodOf(day, span)).toEqual({ span, first, last });
});

test('a month has a part for each day, as long as the zone makes it', () => {
  const parts = partsOfPeriod(periodOf('2026-10-01', 'month'), new ZoneDays('Europe/Malta'));
  expect(parts.map(({ name }) => name.slice(-2))).toEqual(
    Array.from({ length: 31 }, (_, at) => String(at + 1).padStart(2, '0')),
  );
  const odd = parts.filter(({ from, to }) => to - from !== 96);
  expect(odd.map(({ name, from, to }) => [name, to - from])).toEqual([['2026-10-25', 100]]);
});
