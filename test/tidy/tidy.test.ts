import { basename, sep } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { codeOnly, filesBelow, textOf } from './source';

const MAX_LINES = 300;

const DRAWERS = ['utils', 'util', 'helpers', 'helper', 'common', 'misc'];
const SYNONYMS = ['bet', 'bets', 'rollback', 'rollbacks', 'win', 'wins'];
/** Names of the Game Engine API's calls and fields, and of options that the rules name: they stay as they are. */
const WIRE_NAMES = [
  'addBet',
  'addWin',
  'bet',
  'betData',
  'betInEuro',
  'collectBeforeAddedBet',
  'collectWin',
  'promoWinInfo',
  'startGameOrAddBet',
  'startWin',
  'wagerWin',
  'win',
  'winAmount',
  'winInEuro',
];
const MARKERS = ['TO-DO', 'FIX-ME', 'X-XX', 'HA-CK'].map((word) => word.replace('-', ''));

const lib = filesBelow('lib', ['.ts']);
const lua = filesBelow('lib', ['.lua']);
const everything = ['lib', 'test', 'examples', 'bench'].flatMap((top) => filesBelow(top, ['.ts']));

/** Each place in the code of the files that the pattern finds, as `file:line: text`. */
function findings(
  files: readonly string[],
  pattern: RegExp,
  read: (text: string) => string = codeOnly,
): string[] {
  return files.flatMap((file) =>
    read(textOf(file))
      .split('\n')
      .flatMap((line, index) => {
        const found = pattern.exec(line);
        return found ? [`${file}:${index + 1}: ${found[0]}`] : [];
      }),
  );
}

describe('files', () => {
  test(`no file of lib has more than ${MAX_LINES} lines`, () => {
    const long = filesBelow('lib', ['.ts', '.lua', '.sql'])
      .map((path) => ({ path, lines: textOf(path).trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  test('no file or folder is a drawer for whatever does not fit elsewhere', () => {
    const drawers = everything.filter((path) =>
      path.split(sep).some((part) => DRAWERS.includes(basename(part, '.ts'))),
    );
    expect(drawers).toEqual([]);
  });
});

describe('code', () => {
  test('no regular expression of lib looks for a run at the end from every place: that takes the square of a run (D1.5)', () => {
    const found = filesBelow('lib', ['.ts']).flatMap((path) => {
      const runs = textOf(path).match(/\/(?:\\.|[^\\/^|()[\]\n])[+*]\$\/[a-z]*/g) ?? [];
      return runs.map((run) => `${path}: ${run}`);
    });
    expect(found).toEqual([]);
  });

  test('nothing is of a type that switches the compiler off', () => {
    expect(findings(everything, /(?::\s*any\b|\bas\s+any\b|<\s*any\s*[,>]|\bany\s*\[)/)).toEqual(
      [],
    );
  });

  test('no test is skipped, singled out or left for later', () => {
    const pattern = /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo)\b|\b(?:xit|xtest|fit)\(/;
    expect(findings(everything, pattern)).toEqual([]);
  });

  test('no comment leaves work for later', () => {
    const pattern = new RegExp(`\\b(?:${MARKERS.join('|')})\\b`);
    expect(findings([...everything, ...lua], pattern, (text) => text)).toEqual([]);
  });

  test('identifiers use the words of the protocol, not synonyms', () => {
    const found = lib.flatMap((path) => {
      const identifiers = codeOnly(textOf(path)).match(/[A-Za-z_$][\w$]*/g) ?? [];
      return [...new Set(identifiers)]
        .filter((identifier) => !WIRE_NAMES.includes(withSmallInitial(identifier)))
        .filter((identifier) => wordsOf(identifier).some((word) => SYNONYMS.includes(word)))
        .map((identifier) => `${path}: ${identifier}`);
    });
    expect(found).toEqual([]);
  });

  test('every exported function, class and type of lib has a docstring', () => {
    const bare = lib.flatMap((path) => {
      const lines = textOf(path).split('\n');
      const seen = new Set<string>();
      return lines.flatMap((line, index) => {
        const name = exportedName(line);
        if (!name || seen.has(name)) return []; // a later overload shares the first one's docstring
        seen.add(name);
        return lines[index - 1]?.trimEnd().endsWith('*/') ? [] : [`${path}:${index + 1}: ${name}`];
      });
    });
    expect(bare).toEqual([]);
  });
});

/** The type of a call is named as the call is, with a capital. */
function withSmallInitial(identifier: string): string {
  return identifier.charAt(0).toLowerCase() + identifier.slice(1);
}

/** `roundWinTotal` is `round`, `win`, `total`. */
function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function exportedName(line: string): string | undefined {
  const declaration =
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|enum) (\w+)/;
  return declaration.exec(line)?.[1];
}
