import { existsSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { filesBelow, importsOf, textOf } from './source';

const tests = filesBelow('test', ['.ts']).filter((path) => path.endsWith('.test.ts'));
const fast = tests.filter((path) => !/\.(?:servers|slow)\.test\.ts$/.test(path));

/** What starts a server or a process. */
const starters = /^test\/servers\/(?:redis|postgres)\/|^test\/cli\/cli\.ts$/;
const processModule = /'(?:node:)?child_process'/;

/** The files that a test imports, directly or indirectly. */
function reachedFrom(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path) || !path.endsWith('.ts') || !existsSync(path)) return seen;
  seen.add(path);
  for (const target of importsOf(path)) reachedFrom(target, seen);
  return seen;
}

test('a fast test starts no server and no process', () => {
  const starting = fast.flatMap((path) =>
    [...reachedFrom(path)]
      .filter((file) => file.startsWith('test/'))
      .filter((file) => starters.test(file) || processModule.test(textOf(file)))
      .map((file) => `${path} by ${file}`),
  );
  expect(starting).toEqual([]);
});

test('a test that starts neither is a fast one, unless it is slow', () => {
  const others = tests.filter((path) => path.endsWith('.servers.test.ts'));
  const idle = others.filter((path) =>
    [...reachedFrom(path)].every((file) => {
      return !starters.test(file) && !processModule.test(textOf(file));
    }),
  );
  expect(idle).toEqual([]);
});
