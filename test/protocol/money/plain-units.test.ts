import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { readExactAmount } from '../../../lib/protocol/json/exact';
import { plainUnits } from '../../../lib/protocol/money/plain-units';

test('units of the most frequent spelling are those of any amount', () => {
  const part = fc.stringMatching(/^[0-9]{0,6}$/);
  const texts = fc.tuple(fc.constantFrom('', '-', '--', '+'), part, fc.constantFrom('', '.'), part);
  const property = fc.property(texts, fc.nat(8), (pieces, decimals) => {
    const text = pieces.join('');
    const units = plainUnits(text, decimals);
    if (units !== null) expect(BigInt(units)).toBe(readExactAmount(text, decimals));
    expect(Object.is(units, -0)).toBe(false);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test.each([
  ['1.5', 4, 15_000],
  ['-1.50', 4, -15_000],
  ['0', 8, 0],
  ['-0', 4, 0],
  ['007', 0, 7],
  ['99999999999.9999', 4, null],
  ['9999999999.9999', 4, 99_999_999_999_999],
  ['1.00000', 4, null],
  ['1e2', 4, null],
  ['1.', 4, null],
  ['.5', 4, null],
  ['1.2.3', 8, null],
  ['1 ', 4, null],
  ['-', 4, null],
  ['', 4, null],
])('the text %j with %j decimals has the units %j', (text, decimals, units) => {
  expect(plainUnits(text, decimals)).toBe(units);
});
