import { describe, expect, test } from '@jest/globals';

import { translatedPhrases } from './prose';
import { filesBelow, textOf } from './source';

describe('comments and texts of lib', () => {
  test('use the words of the field, and no phrase that reads as translated', () => {
    const found = filesBelow('lib', ['.ts']).flatMap((path) =>
      translatedPhrases(textOf(path)).map((phrase) => `${path}:${phrase}`),
    );
    expect(found).toEqual([]);
  });
});

/** Words that other code bases hardly have, names among them, and how often lib may have them; a budget only falls. */
const budgets: readonly (readonly [RegExp, number])[] = [
  [/\bbehind\b/gi, 121],
  [/(?<!\bthere )\bis none\b/gi, 2],
  [/\bgo(?:es)? on\b/gi, 5],
  [/\bof its own\b/gi, 4],
  [/\bwhat became of\b/gi, 0],
  [/\bcomes? again\b/gi, 6],
];
const texts = filesBelow('lib', ['.ts', '.lua', '.sql']).map(textOf).join('\n');

test.each(budgets)('lib has no more of %s than %d', (words, budget) => {
  expect((texts.match(words) ?? []).length).toBeLessThanOrEqual(budget);
});

describe('a phrase that reads as translated', () => {
  test.each([
    ["log('the ledger is left in peace');", '1: "left in peace" -> circuit breaker open'],
    ['/** Calls in work. */', '1: "in work" -> in flight'],
    ['const a = 1; // what is under way', '1: "under way" -> in flight, pending, running'],
    [
      'x();\n/**\n * An answer that is left\n * in peace.\n */',
      '3: "left in peace" -> circuit breaker open',
    ],
    ['/** What the queue stands on. */', '1: "stands on" -> depends on'],
    ["// The listener's own matter.", '1: "own matter" -> what it throws is ignored'],
    ['/** The hash; null without one. */', '1: "null without one" -> null if there is none'],
    ['/** What it holds beside its amount. */', '1: "beside its" -> besides'],
    ['const a = `${b} is told`;', '1: "is told" -> answered, reported'],
  ])('is found in %j, with its line and what to write', (source, finding) => {
    expect(translatedPhrases(source)).toEqual([finding]);
  });

  test.each([
    'const inWork = told.heard(left, inVain);',
    '/** A call that is no longer in flight. */',
    "log('the store is told to close');",
  ])('is not found in %j', (source) => {
    expect(translatedPhrases(source)).toEqual([]);
  });
});
