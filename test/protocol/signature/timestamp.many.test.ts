import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isTimely, parseTimestamp } from '../../../lib/protocol/signature';
import { expectSame } from '../../support/expect-same';
import { runs } from '../../support/runs';

const noon = Date.UTC(2026, 2, 1, 12);

describe('a timestamp (D1.3)', () => {
  test.each([
    ['2026-03-01T12:00:00Z', 0],
    ['2026-03-01T12:00:00', 0],
    ['2026-03-01T12:00:00.000Z', 0],
    ['2026-03-01T12:00:00.5Z', 500],
    ['2026-03-01T12:00:00.05', 50],
    ['2026-03-01T12:00:00.123456789Z', 123],
    ['2026-03-01T13:00:00+01:00', 0],
    ['2026-03-01T17:45:00+05:45', 0],
    ['2026-02-28T22:00:00-14:00', 0],
    ['2026-03-02T02:00:00+14:00', 0],
    ['2026-03-01T12:00:00-00:00', 0],
    ['2026-03-01T12:00:59Z', 59_000],
  ])('%s is the moment it says', (text, afterNoonMs) => {
    expectSame(parseTimestamp(text), noon + afterNoonMs);
  });

  test.each([
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
    ['1969-12-31T23:59:59Z', -1000],
    ['2026-12-31T23:59:59Z', Date.UTC(2026, 11, 31, 23, 59, 59)],
  ])('%s is a day of the calendar', (text, ms) => {
    expectSame(parseTimestamp(text), ms);
  });

  test.each([
    [''],
    ['now'],
    ['1772366400000'],
    ['2026-03-01'],
    ['2026-03-01T12:00Z'],
    ['2026-03-01 12:00:00Z'],
    ['2026-03-01t12:00:00z'],
    ['2026-03-01T12:00:00z'],
    ['20260301T120000Z'],
    ['2026-3-1T12:00:00Z'],
    ['26-03-01T12:00:00Z'],
    ['+002026-03-01T12:00:00Z'],
    ['2026-060T12:00:00Z'],
    ['2026-W09-7T12:00:00Z'],
    ['2026-02-29T12:00:00Z'],
    ['1900-02-29T12:00:00Z'],
    ['2026-04-31T12:00:00Z'],
    ['2026-13-01T12:00:00Z'],
    ['2026-00-01T12:00:00Z'],
    ['2026-03-00T12:00:00Z'],
    ['2026-03-32T12:00:00Z'],
    ['2026-03-01T24:00:00Z'],
    ['2026-03-01T12:60:00Z'],
    ['2026-03-01T12:00:60Z'],
    ['2026-03-01T12:00:00.Z'],
    ['2026-03-01T12:00:00,5Z'],
    ['2026-03-01T12:00:00.1234567890Z'],
    ['2026-03-01T12:00:00+0100'],
    ['2026-03-01T12:00:00+01'],
    ['2026-03-01T12:00:00+15:00'],
    ['2026-03-01T12:00:00+14:30'],
    ['2026-03-01T12:00:00+01:60'],
    ['2026-03-01T12:00:00ZZ'],
    ['2026-03-01T12:00:00 Z'],
    [' 2026-03-01T12:00:00Z'],
    ['2026-03-01T12:00:00Z\n'],
    ['2026-03-01T12:00:00Z, 2026-03-01T12:00:00Z'],
    ['Sun, 01 Mar 2026 12:00:00 GMT'],
    ['２０２６-03-01T12:00:00Z'],
  ])('%j is refused', (text) => {
    expect(parseTimestamp(text)).toBeNull();
    expectSame(isTimely(text, noon, Number.MAX_SAFE_INTEGER), false);
  });

  test('is read as Date reads it, with and without milliseconds', () => {
    const date = fc.date({ min: new Date(0), max: new Date(8.64e12), noInvalidDate: true });
    fc.assert(
      fc.property(date, (at) => {
        const iso = at.toISOString();
        expectSame(parseTimestamp(iso), at.getTime());
        expectSame(parseTimestamp(iso.slice(0, -1)), at.getTime());
        expectSame(parseTimestamp(`${iso.slice(0, 19)}Z`), Math.floor(at.getTime() / 1000) * 1000);
      }),
    );
  });
});

test('a timestamp may be off by the tolerance and no more, in either direction (D1.3)', () => {
  for (const off of [0, 1, 299_999, 300_000, -1, -300_000]) {
    expectSame([off, isTimely(new Date(noon + off).toISOString(), noon, 300_000)], [off, true]);
  }
  for (const off of [300_001, -300_001, 86_400_000, -86_400_000]) {
    expectSame([off, isTimely(new Date(noon + off).toISOString(), noon, 300_000)], [off, false]);
  }
});

const two = (value: number) => String(value).padStart(2, '0');

test('every day that the calendar has is read as Date reads it, and no other is a day', () => {
  const [year, month, day] = [fc.nat(9999), fc.nat(13), fc.nat(32)];
  fc.assert(
    fc.property(year, month, day, (inYear, inMonth, inDay) => {
      const date = `${String(inYear).padStart(4, '0')}-${two(inMonth)}-${two(inDay)}`;
      const at = Date.parse(`${date}T12:34:56.789Z`);
      const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
      expectSame(parseTimestamp(`${date}T12:34:56.789Z`), isReal ? at : null);
    }),
    { numRuns: runs(20_000) },
  );
});
