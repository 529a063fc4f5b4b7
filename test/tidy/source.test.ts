import { expect, test } from '@jest/globals';

import { codeOnly, importsOf } from './source';

function wordsOfCode(text: string): string[] {
  return codeOnly(text).match(/\w+/g) ?? [];
}

test('comments and strings are not code', () => {
  expect(wordsOfCode(`a; // b\n/* c\nd */ e('f', "g \\" h")`)).toEqual(['a', 'e']);
});

test('the text of a template is not code, and what it embeds is', () => {
  expect(wordsOfCode('a(`b ${c({ d: `e ${f} g` })} h \\` i`) + j')).toEqual([
    'a',
    'c',
    'd',
    'f',
    'j',
  ]);
});

test('a regular expression is not code, and a division is', () => {
  const words = wordsOfCode(`a.test(/b'[/"]c/g); d / e / f; return /g/`);
  expect(words.join(' ')).toBe('a test d e f return');
});

test('lines stay where they are', () => {
  expect(codeOnly('`a\nb`\n/*\n*/c').split('\n')[3]).toContain('c');
});

test('imports are resolved to files', () => {
  expect(importsOf('test/tidy/source.test.ts')).toContain('test/tidy/source.ts');
});
