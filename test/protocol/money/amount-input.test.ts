import { describe, expect, test } from '@jest/globals';
import { assert, bigInt, integer, property } from 'fast-check';
import {
  type AmountInput,
  formatAmount,
  maxUnits,
  unitsOf,
} from '../../../lib/protocol/money/amount';

/** Units of what the types may not allow. */
function read(amount: unknown, decimals = 4): bigint {
  return unitsOf(amount as AmountInput, decimals);
}

describe('an amount given by a user of the kit', () => {
  test('is a decimal text, or units that say so', () => {
    expect(read('10.50')).toBe(105_000n);
    expect(read('10')).toBe(100_000n);
    expect(read('0')).toBe(0n);
    expect(read('0.0001')).toBe(1n);
    expect(read({ units: 105_000n })).toBe(105_000n);
    expect(read({ units: 0n })).toBe(0n);
    expect(read({ units: maxUnits })).toBe(maxUnits);
  });

  test.each([['1e3'], ['1E2'], ['1e-3'], ['1e0'], ['0e0'], ['1.5e1']])(
    'is refused with an exponent: %s',
    (text) => expect(() => read(text)).toThrow(TypeError),
  );

  test.each([['05'], ['00'], ['00.5'], ['010'], ['000000000000000000001']])(
    'is refused with a leading zero: %s',
    (text) => expect(() => read(text)).toThrow(TypeError),
  );

  test.each([
    ['-1'],
    ['-0'],
    ['+1'],
    ['0.00001'],
    ['1.2.3'],
    ['1.'],
    ['.5'],
    ['1,5'],
    ['1_0'],
    [' 1'],
    ['1\n'],
    [''],
    ['ten'],
    ['0x10'],
    ['Infinity'],
    ['\u0661'],
    ['9007199254740992'],
  ])('is refused as %j', (text) => {
    expect(() => read(text)).toThrow(TypeError);
  });

  test('is refused as a bare bigint, with the cure: 10n reads as ten and would move ten units', () => {
    for (const amount of [10n, 0n, -1n, maxUnits]) {
      expect(() => read(amount)).toThrow(TypeError);
      expect(() => read(amount)).toThrow('{ units: 10n }');
    }
  });

  test.each([
    [{ units: -1n }],
    [{ units: maxUnits + 1n }],
    [{ units: 10 }],
    [{ units: '10' }],
    [{ unit: 10n }],
    [{}],
    [[10n]],
    [10.5],
    [10],
    [null],
    [undefined],
    [true],
  ])('is refused below zero, above 2^53-1 units, and as anything else: %p', (amount) => {
    expect(() => read(amount)).toThrow(TypeError);
  });

  test('is read back from the text that the kit writes of it, whatever the decimals', () => {
    const units = bigInt({ min: 0n, max: maxUnits });
    assert(
      property(units, integer({ min: 0, max: 8 }), (amount, decimals) => {
        expect(read(formatAmount(amount, decimals), decimals)).toBe(amount);
      }),
    );
  });
});
