import { expect, test } from '@jest/globals';

import {
  type ExactSum,
  sumExactly,
  writePercentage,
  writeSum,
} from '../../lib/cli/call/statistics-table';

function sumOf(...texts: string[]): ExactSum {
  const sum = sumExactly(texts);
  if (sum === null) throw new Error('there is no sum');
  return sum;
}

test.each<[string[], string]>([
  [[], '0'],
  [['0'], '0'],
  [['0.00'], '0.00'],
  [['0.1', '0.2'], '0.3'],
  [['10.50', '1.5'], '12.00'],
  [['1', '0.001', '2.50'], '3.501'],
  [['-1.50', '1'], '-0.50'],
  [['-0.05', '0.05'], '0.00'],
  [['9007199254740993', '0.1'], '9007199254740993.1'],
  [['1e2', '5E-1'], '100.5'],
  [['99999999999999999999.99', '0.01'], '100000000000000000000.00'],
])('the sum of %j is %s', (texts, written) => {
  expect(writeSum(sumOf(...texts))).toBe(written);
});

test.each(['', ' 1', '1,5', '.5', '5.', '0x1', 'NaN', '1e9999', '--1', '1e100', '1'.repeat(41)])(
  '%j is no decimal, and there is no sum with it',
  (text) => {
    expect(sumExactly(['1', text])).toBeNull();
  },
);

test.each<[string, string, string | null]>([
  ['96.19', '100', '96.19'],
  ['1', '3', '33.33'],
  ['2', '3', '66.67'],
  ['0.00005', '1', '0.01'],
  ['0.00004', '1', '0.00'],
  ['0', '5', '0.00'],
  ['5', '0', null],
  ['5', '-1', null],
  ['-5', '1', null],
  ['9007199254740993.01', '0.01', '90071992547409930100.00'],
])('%s of %s is %s percent', (part, whole, percentage) => {
  expect(writePercentage(sumOf(part), sumOf(whole))).toBe(percentage);
});
