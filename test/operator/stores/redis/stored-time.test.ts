import { expect, test } from '@jest/globals';

import { decodeTime, encodeTime } from '../../../../lib/operator/stores/redis/codec/time';

test('a stored time is read as it was, whichever was stored before it', () => {
  const moments = [
    1_790_000_000_000, 1_790_000_000_000, 0, 1_790_000_000_001, 1_790_000_000_000, 35,
  ];
  for (const at of moments) expect(decodeTime(encodeTime(at))).toBe(at);
});

test('a stored time is the number in base 36', () => {
  expect([36, 36, 1_295, 36].map(encodeTime)).toEqual(['10', '10', 'zz', '10']);
});

test.each([0.5, 1_760_000_000_000.25, Number.NaN, -1])(
  'a time that could not be read again, %d, is not stored',
  (at) => {
    expect(() => encodeTime(at)).toThrow('a clock must answer whole milliseconds since 1970');
  },
);
