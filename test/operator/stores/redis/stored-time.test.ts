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
