import { expect, test } from '@jest/globals';

import { percentilesOf } from '../../../../lib/proof/certify/cases/load/at-rate';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => count - at);

test.each([
  [[], 'none'],
  [[7], 'p50 7 ms, p90 7 ms, p99 7 ms, max 7 ms'],
  [upTo(10), 'p50 5 ms, p90 9 ms, p99 10 ms, max 10 ms'],
  [upTo(200), 'p50 100 ms, p90 180 ms, p99 198 ms, max 200 ms'],
])('percentiles are the smallest time that so many percent do not exceed: %j', (times, text) => {
  expect(percentilesOf(times)).toBe(text);
});
