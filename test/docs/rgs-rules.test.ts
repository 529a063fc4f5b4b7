import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';
import { engineErrors } from '../../lib/protocol/engine-api/errors';
import { filesBelow, ROOT, textOf } from '../tidy/source';
import { allTests, cites, decidedIn } from './citations';

const page = textOf('docs/rgs.md');
const tests = allTests();
const decided = decidedIn(page);

/** The rules that docs/rgs.md states: E1.1 in a list, E6 by its heading; those of a provider are in docs/provider.md. */
const ofRgs = [...page.matchAll(/^(?:- \*\*|## )([EWB]\d+(?:\.\d+)?)(?:\*\*| (?=States))/gm)].map(
  ([, rule = '']) => rule,
);
const ofProvider = new Set(textOf('docs/provider.md').match(/\bS\d(?:\.\d)?\b/g));
// S2 is stated by its steps.
const stated = [...ofRgs, ...[...ofProvider].filter((rule) => rule !== 'S2').toSorted()];
const headings = [...page.matchAll(/^## ([EWB]\d*) /gm)].map(([, rule = '']) => rule);
/** The main flows. */
const flows = page.match(/\bB5\.\d\b/g) ?? [];

function numbers(letter: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => `${letter}${from + at}`);
}

describe('the rules of docs/rgs.md', () => {
  test('are found: those of E1 to E24 by number, E6, W1 to W12, B2 to B4, and S1 to S4', () => {
    const sections = new Set(stated.map((rule) => rule.replace(/\..*/, '')));
    expect([...sections]).toEqual([
      ...numbers('E', 1, 24),
      ...numbers('W', 1, 12),
      ...numbers('B', 2, 4),
      ...numbers('S', 1, 4),
    ]);
    expect(stated).toHaveLength(123);
    expect([...decided.keys()]).toEqual(stated);
  });

  test.each([...decided])('%s is cited by each file that decides it', (rule, files) => {
    const silent = files.filter((file) => !cites(readFileSync(join(ROOT, file), 'utf8'), rule));
    expect(silent).toEqual([]);
  });

  test.each([...stated, ...flows])('%s is cited by a test', (rule) => {
    expect(cites(tests, rule)).toBe(true);
  });

  test('code and tests cite no rule that the pages do not state', () => {
    const known = new Set([...stated, ...headings, ...flows, 'B5', 'S2']);
    const unknown = [...filesBelow('lib', ['.ts']), ...filesBelow('test', ['.ts'])].flatMap(
      (path) =>
        [...textOf(path).matchAll(/(?<=[ (,:'])[EWBS]\d+(?:\.\d+)?(?=[,:;)']| |\. |\.$)/gm)]
          .map(([rule]) => rule)
          .filter((rule) => !known.has(rule))
          .map((rule) => `${path}: ${rule}`),
    );
    expect(unknown).toEqual([]);
  });
});

test('the table of E3 is the catalogue of errors, id by id', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| ([A-Z]+) \| (\d+)/gm)];
  const entries = Object.entries(engineErrors).map(([code, { id, status }]) => [id, code, status]);
  expect(rows.map(([, id, code, status]) => [Number(id), code, Number(status)])).toEqual(entries);
});
