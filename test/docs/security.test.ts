import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { ROOT, textOf } from '../tidy/source';

/** The sections that say what holds, of docs/security.md. */
const promising = ['What we guarantee', 'The operations page', 'The sandbox'];

const sections = new Map(
  textOf('docs/security.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

/** The items of the section's lists, each in one line. */
function itemsOf(title: string): string[] {
  const [, ...items] = (sections.get(title) ?? '').split(/^- /m);
  return items.map((item) => (item.split('\n\n')[0] ?? '').replace(/\s+/g, ' '));
}

const testsIn = (text: string): string[] => text.match(/\btest\/[\w./-]*\w/g) ?? [];

test('each guarantee of docs/security.md names a test beside it', () => {
  for (const title of promising) {
    const items = itemsOf(title);
    expect(items.length).toBeGreaterThan(3);
    expect(items.filter((item) => testsIn(item).length === 0)).toEqual([]);
  }
});

/** A file of tests, or a folder of them. */
const isTest = (path: string): boolean => path.endsWith('.test.ts') || !/\.\w+$/.test(path);

test('each test that docs/security.md names exists', () => {
  const named = testsIn(textOf('docs/security.md'));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !isTest(path) || !existsSync(join(ROOT, path)))).toEqual([]);
});
