import { describe, expect, test } from '@jest/globals';
import { isCurrency, isIdentifier, isSignable } from '../../lib/protocol/identifiers';

describe('an identifier (D1.6, D2.6)', () => {
  test.each([
    ['one character', 'a'],
    ['128 characters', 'a'.repeat(128)],
    ['128 characters beyond the basic plane', '😀'.repeat(128)],
    ['spaces', ' a b '],
    ['letters of any script', 'игрок-玩家-é'],
    ['every other sign', '!"$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
    ['__proto__', '__proto__'],
  ])('may be %s', (_, text) => {
    expect(isIdentifier(text)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['129 characters', 'a'.repeat(129)],
    ['129 characters beyond the basic plane', '😀'.repeat(129)],
    ['with #', 'a#b'],
    ['with a line end', 'a\n'],
    ['with NUL', 'a\u0000'],
    ['with delete', 'a\u007f'],
    ['with a control character of the second block', 'a\u0085'],
    ['a lone surrogate', '\ud83d'],
    ['a number', 7],
    ['null', null],
    ['undefined', undefined],
    ['a list', ['a']],
  ])('is not %s', (_, value) => {
    expect(isIdentifier(value)).toBe(false);
  });

  test('is not normalised: the same letter in two spellings is two identifiers', () => {
    expect(isSignable('é')).toBe(true);
    expect('é').not.toBe('e\u0301');
  });
});

test('a currency is three upper-case letters', () => {
  expect(['EUR', 'USD', 'XBT'].every(isCurrency)).toBe(true);
  expect(['eur', 'EU', 'EURO', 'EU1', ' EUR', 'ÄÖÜ', '', null, 978].some(isCurrency)).toBe(false);
});
