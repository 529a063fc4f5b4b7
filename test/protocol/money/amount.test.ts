import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  formatAmount,
  isAmountText,
  isZero,
  maxUnits,
  parseAmount,
  shortestForm,
} from '../../../lib/protocol/money/amount';

describe('a number on the wire is read to the unit, or refused (D2.5)', () => {
  test.each([
    ['0', 4, 0n],
    ['0.00', 4, 0n],
    ['-0', 4, 0n],
    ['-0.0e7', 4, 0n],
    ['0e99', 4, 0n],
    ['1', 4, 10_000n],
    ['10.5', 4, 105_000n],
    ['10.50', 4, 105_000n],
    ['10.500000000', 4, 105_000n],
    ['0.0001', 4, 1n],
    ['1e2', 4, 1_000_000n],
    ['1E+2', 4, 1_000_000n],
    ['100e-2', 4, 10_000n],
    ['0.01e2', 4, 10_000n],
    ['900719925474.0991', 4, maxUnits],
    ['9007199254740991', 0, maxUnits],
    ['0.00000001', 8, 1n],
    ['90071992.54740991', 8, maxUnits],
  ])('%s with %s decimals is %s units', (lexeme, decimals, units) => {
    expect(parseAmount(lexeme, decimals)).toBe(units);
  });

  test.each([
    ['-1', 4],
    ['-0.0001', 4],
    ['0.00001', 4],
    ['1.00001', 4],
    ['1e-5', 4],
    ['0.5', 0],
    ['900719925474.0992', 4],
    ['9007199254740992', 0],
    ['1e999', 4],
    ['1e-999', 4],
    ['1e9999', 4],
    ['0e999', 4],
    ['1e002', 4],
    [`1.${'0'.repeat(39)}`, 4],
    [`1${'0'.repeat(100_000)}1e0`, 4],
    ['99999999999999999999999999999999', 0],
    ['', 4],
    ['.5', 4],
    ['5.', 4],
    ['+5', 4],
    [' 5', 4],
    ['0x10', 4],
    ['NaN', 4],
    ['Infinity', 4],
    ['1_000', 4],
    ['1,5', 4],
    ['٣', 4],
  ])('%j with %s decimals is refused', (lexeme, decimals) => {
    expect(parseAmount(lexeme, decimals)).toBeNull();
  });

  test('a number that a double cannot tell from its neighbour is still read exactly', () => {
    expect(parseAmount('90071992547409.89', 2)).toBe(9_007_199_254_740_989n);
    expect(parseAmount('90071992547409.88', 2)).toBe(9_007_199_254_740_988n);
  });
});

const units = fc.bigInt(0n, maxUnits);
const decimals = fc.integer({ min: 0, max: 8 });

describe('an amount is written in its shortest decimal form', () => {
  test.each([
    [0n, 4, '0'],
    [1n, 4, '0.0001'],
    [105_000n, 4, '10.5'],
    [1_000_000n, 4, '100'],
    [-105_000n, 4, '-10.5'],
    [-1n, 2, '-0.01'],
    [12n, 0, '12'],
    [maxUnits, 4, '900719925474.0991'],
  ])('%s units of %s decimals are %s', (amount, places, text) => {
    expect(formatAmount(amount, places)).toBe(text);
  });

  test('what is written is read back as the same units', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        expect(parseAmount(formatAmount(amount, places), places)).toBe(amount);
      }),
    );
  });

  test('what is written is a JSON number', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        const text = formatAmount(amount, places);
        expect(typeof JSON.parse(text)).toBe('number');
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });
});

describe('the shortest form of a number as it was sent (D1.5)', () => {
  test.each([
    ['10.50', '10.5'],
    ['10.0', '10'],
    ['10', '10'],
    ['100', '100'],
    ['1e2', '100'],
    ['1.5E1', '15'],
    ['1e-2', '0.01'],
    ['0.10', '0.1'],
    ['0.00', '0'],
    ['-0', '0'],
    ['-1.50', '-1.5'],
  ])('%s is %s', (lexeme, text) => {
    expect(shortestForm(lexeme)).toBe(text);
  });

  test('it is how JavaScript prints the number, wherever it prints no exponent', () => {
    const number = fc.double({ min: 1e-6, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(number, (value) => expect(shortestForm(String(value))).toBe(String(value))),
    );
  });

  test('it has the same value and stays as it is', () => {
    const lexeme = fc
      .tuple(units, decimals, fc.integer({ min: 0, max: 3 }))
      .map(([amount, places, zeros]) => {
        const text = formatAmount(amount, places);
        return text.includes('.') ? text + '0'.repeat(zeros) : text;
      });
    fc.assert(
      fc.property(lexeme, (text) => {
        const shortest = shortestForm(text);
        expect(parseAmount(shortest, 8)).toBe(parseAmount(text, 8));
        expect(shortestForm(shortest)).toBe(shortest);
      }),
    );
  });
});

describe('a text that may be an amount has at most 40 characters, and an exponent of at most two digits (D1.5)', () => {
  test.each([
    ['0'],
    ['-10.50'],
    ['1e99'],
    ['1E-99'],
    ['1e+05'],
    [`1.${'0'.repeat(38)}`],
    ['9'.repeat(40)],
  ])('%s', (lexeme) => {
    expect(isAmountText(lexeme)).toBe(true);
    expect(shortestForm(lexeme).length).toBeLessThan(150);
  });

  test.each([
    ['1e100'],
    ['1e-100'],
    ['1e005'],
    ['0e999'],
    [`1.${'0'.repeat(39)}`],
    ['9'.repeat(41)],
    [''],
    ['x'],
    ['1e'],
  ])('%s is none, and is neither computed with nor written otherwise', (lexeme) => {
    expect(isAmountText(lexeme)).toBe(false);
    expect(parseAmount(lexeme, 4)).toBeNull();
    expect(shortestForm(lexeme)).toBe(lexeme);
  });
});

test('a zero is known in any spelling (D1.5)', () => {
  for (const zero of ['0', '-0', '0.0', '0.000', '0e5', '0E-5', '-0.0e+1', '0e99999']) {
    expect([zero, isZero(zero)]).toEqual([zero, true]);
  }
  for (const other of ['1', '0.01', '1e-999', '10', '-1', '']) {
    expect([other, isZero(other)]).toEqual([other, false]);
  }
});
