import { expect, test } from '@jest/globals';

import { trendOf } from '../../../../lib/proof/certify/cases/load/trend';

test.each<[string, number[], number, number]>([
  ['values that rise steadily', [1, 2, 3, 4, 5], 1, 4],
  ['values that fall steadily', [5, 4, 3, 2, 1], -1, -4],
  ['values that stay', [3, 3, 3, 3], 0, 0],
  ['one value that is far off', [3, 3, 900, 3, 3, 3], -1 / 15, 0],
  ['a step up is no steady rise', [3, 3, 3, 5, 5, 5], 0.6, 2.5],
  ['no values', [], 0, 0],
  ['one value', [7], 0, 0],
])('%s: %j', (_, values, steadiness, rise) => {
  const trend = trendOf(values);
  expect(trend.steadiness).toBeCloseTo(steadiness, 10);
  expect(trend.rise).toBeCloseTo(rise, 10);
});
