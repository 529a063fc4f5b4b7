import { basename, sep } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { codeOnly, filesBelow, importsOf, textOf } from './source';

const MAX_LINES = 300;

/** The folders of lib; one may import only from itself and from those before it. */
const LAYERS =
  'errors money protocol signature gameround wallet validation stores express client testing sandbox cli'.split(
    ' ',
  );
const DRAWERS = ['utils', 'util', 'helpers', 'helper', 'common', 'misc'];
const SYNONYMS = ['bet', 'bets', 'rollback', 'rollbacks', 'win', 'wins'];
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

describe('layers', () => {
  const layered = lib.filter((path) => path.split(sep).length > 2);

  test('every folder of lib has a place in the order of layers', () => {
    expect([...new Set(layered.map(layerOf))].filter((layer) => !LAYERS.includes(layer))).toEqual(
      [],
    );
  });

  test('lib itself holds nothing but its index', () => {
    expect(lib.filter((path) => !layered.includes(path))).toEqual(['lib/index.ts']);
  });

  test('a folder imports only from itself and from folders before it', () => {
    const upwards = layered.flatMap((path) =>
      importsOf(path)
        .filter((target) => LAYERS.indexOf(layerOf(target)) > LAYERS.indexOf(layerOf(path)))
        .map((target) => `${path} imports ${target}`),
    );
    expect(upwards).toEqual([]);
  });

  test('nothing in lib imports a file outside lib, or the index', () => {
    const outside = lib.flatMap((path) =>
      importsOf(path)
        .filter((target) => !target.startsWith(`lib${sep}`) || target === 'lib/index.ts')
        .map((target) => `${path} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });

  test('no store imports another store', () => {
    const across = lib.flatMap((path) =>
      importsOf(path)
        .filter((target) => storeOf(path) && storeOf(target) && storeOf(path) !== storeOf(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(across).toEqual([]);
  });

  test('no file imports itself by way of others, types included', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      } else if (path.endsWith('.ts') && lib.includes(path) && !done.has(path)) {
        for (const target of importsOf(path)) visit(target, [...trail, path]);
        done.add(path);
      }
    };
    for (const path of lib) visit(path, []);
    expect(cycles).toEqual([]);
  });
});

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

  test('every Lua command starts with #!lua and a comment that names its KEYS, ARGV and Reply', () => {
    const bare = lua.filter((path) => {
      const [first = '', ...rest] = textOf(path).split('\n');
      const end = rest.findIndex((line) => line.trim() !== '' && !line.startsWith('--'));
      const header = rest.slice(0, end < 0 ? undefined : end).join('\n');
      const names = [/\bKEYS\b/, /\bARGV\b/, /\bReply\b/i];
      return !first.startsWith('#!lua') || !names.every((name) => name.test(header));
    });
    expect(bare).toEqual([]);
  });
});

describe('code', () => {
  test('nothing is of a type that switches the compiler off', () => {
    expect(findings(everything, /(?::\s*any\b|\bas\s+any\b|<\s*any\s*[,>]|\bany\s*\[)/)).toEqual(
      [],
    );
  });

  test('no test is skipped, singled out or left for later', () => {
    const pattern = /\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo)\b|\b(?:xit|xtest|fit)\(/;
    expect(findings(everything, pattern)).toEqual([]);
  });

  test('the wall clock stands behind the clock port, so that no deadline can follow it by mistake', () => {
    const timestamps = ['lib/wallet/ports.ts', 'lib/cli/demo.ts', 'lib/testing/request-signer.ts'];
    const others = lib.filter((path) => !timestamps.includes(path));
    expect(findings(others, /\bDate\.now\b/)).toEqual([]);
  });

  test('no comment leaves work for later', () => {
    const pattern = new RegExp(`\\b(?:${MARKERS.join('|')})\\b`);
    expect(findings([...everything, ...lua], pattern, (text) => text)).toEqual([]);
  });

  test('identifiers use the words of the protocol, not synonyms', () => {
    const found = lib.flatMap((path) => {
      const identifiers = codeOnly(textOf(path)).match(/[A-Za-z_$][\w$]*/g) ?? [];
      return [...new Set(identifiers)]
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

/** The folder of lib a file is in. */
function layerOf(path: string): string {
  return path.split(sep)[1] ?? '';
}

/** The store a file belongs to; undefined for a file directly in lib/stores, or elsewhere. */
function storeOf(path: string): string | undefined {
  const [, layer, store, ...rest] = path.split(sep);
  return layer === 'stores' && rest.length > 0 ? store : undefined;
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
