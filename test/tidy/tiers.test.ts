import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, test } from '@jest/globals';

import { fastTestsBelow } from '../together/together';
import { filesBelow, importsOf, textOf } from './source';

const tests = filesBelow('test', ['.ts']).filter((path) => path.endsWith('.test.ts'));
const jestConfig = createRequire(__filename)('../../jest.config.js') as {
  readonly projects: readonly {
    readonly displayName: string;
    readonly testMatch: readonly string[];
    readonly setupFiles?: readonly string[];
  }[];
};
const groups = tests.filter((path) => path.startsWith('test/together/'));
const fast = tests.filter(
  (path) => !/\.(?:servers|slow|soak)\.test\.ts$/.test(path) && !groups.includes(path),
);

/** What starts a server or a process. */
const starters = /^test\/servers\/(?:redis|postgres|prometheus)\/|^test\/cli\/cli\.ts$/;
const processModule = /'(?:node:)?child_process'/;

const imports = new Map<string, readonly string[]>();
const starting = new Map<string, boolean>();

function known<T>(held: Map<string, T>, path: string, read: (path: string) => T): T {
  const value = held.has(path) ? (held.get(path) as T) : read(path);
  held.set(path, value);
  return value;
}

/** The files that a test imports, directly or indirectly. */
function reachedFrom(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path) || !path.endsWith('.ts') || !existsSync(path)) return seen;
  seen.add(path);
  for (const target of known(imports, path, importsOf)) reachedFrom(target, seen);
  return seen;
}

function starts(path: string): boolean {
  return known(starting, path, () => starters.test(path) || processModule.test(textOf(path)));
}

test('a fast test starts no server and no process', () => {
  const found = fast.flatMap((path) =>
    [...reachedFrom(path)]
      .filter((file) => file.startsWith('test/'))
      .filter((file) => starts(file))
      .map((file) => `${path} by ${file}`),
  );
  expect(found).toEqual([]);
});

test('a test that starts neither is a fast one, unless it is slow', () => {
  const others = tests.filter((path) => path.endsWith('.servers.test.ts'));
  const idle = others.filter((path) => [...reachedFrom(path)].every((file) => !starts(file)));
  expect(idle).toEqual([]);
});

test('each fast test is in one file of test/together, which is what `npm run test:fast` runs', () => {
  const folders = groups.flatMap((path) =>
    [...(/\btogether\(([^)]*)\)/.exec(textOf(path))?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
      ([, folder = '']) => folder,
    ),
  );
  const grouped = folders.flatMap(fastTestsBelow).map((path) => `test/${path}`);
  expect(grouped.toSorted()).toEqual(fast.toSorted());
});

test('what plays a part of its cases or places in another tier says so in its name, and plays all of them in the soak tier', () => {
  const asking = tests.filter((path) => importsOf(path).includes('test/support/runs.ts'));
  expect(asking.filter((path) => !/\.(?:many|soak)\./.test(path))).toEqual([]);
  const soak = jestConfig.projects.find(({ displayName }) => displayName === 'soak');
  expect(soak?.testMatch).toContain('<rootDir>/test/**/*.many*.test.ts');
  expect(soak?.setupFiles).toContain('<rootDir>/test/support/all-runs.js');
});

// Node follows every promise for a storage of its own, which costs a tenth of the processor time. Counting the
// promises followed would see other suites too: a worker of jest runs several.
test('jest has taken the stand-in for its storage: one made now is a storage of Node', async () => {
  const storage = new AsyncLocalStorage<string>();
  const later = storage.run('own', () => Promise.resolve().then(() => storage.getStore()));
  expect([storage.getStore(), await later]).toEqual([undefined, 'own']);
  storage.disable();
});
