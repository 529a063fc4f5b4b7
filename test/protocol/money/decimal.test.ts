import { describe, expect, test } from '@jest/globals';

import { decimalOf, timesDecimal, wholeOf } from '../../../lib/protocol/money/amount';

describe('decimalOf', () => {
  test.each([
    ['0', 0n, 0],
    ['6', 6n, 0],
    ['0.089', 89n, 3],
    ['1.50', 150n, 2],
  ])('%s', (text, digits, scale) => {
    expect(decimalOf(text)).toEqual({ digits, scale });
  });

  test.each(['', '-1', '+1', '1e3', '.5', '5.', '01', '1,5', ' 1', '1'.repeat(41)])(
    '%j is null',
    (text) => {
      expect(decimalOf(text)).toBeNull();
    },
  );
});

describe('wholeOf', () => {
  test.each([
    [125n, 1, 12n, 13n, 13n],
    [124n, 1, 12n, 13n, 12n],
    [120n, 1, 12n, 12n, 12n],
    [7n, 0, 7n, 7n, 7n],
  ])('%s with %s decimals: down %s, up %s, nearest %s', (digits, scale, down, up, nearest) => {
    const decimal = { digits, scale };
    expect(wholeOf(decimal, 'down')).toBe(down);
    expect(wholeOf(decimal, 'up')).toBe(up);
    expect(wholeOf(decimal, 'nearest')).toBe(nearest);
  });

  test('a product keeps every decimal', () => {
    const product = timesDecimal({ digits: 15n, scale: 1 }, { digits: 89n, scale: 3 });
    expect(product).toEqual({ digits: 1335n, scale: 4 });
  });
});
