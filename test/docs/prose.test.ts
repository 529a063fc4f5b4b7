import { expect, test } from '@jest/globals';

import { textOf } from '../tidy/source';
import { pages } from './blocks';

/** Phrases that read as translated, and how often all pages may have them; a budget only falls. */
const budgets: readonly (readonly [RegExp, number])[] = [
  [/\bbehind\b/gi, 3],
  [/\b(?:goes|go|went) on\b/gi, 0],
  [/\bcomes? again\b/gi, 0],
  [/\bof its own\b/gi, 0],
  [/\bis none\b/gi, 1],
  [/\bbec(?:ame|omes) of\b/gi, 0],
  [/\b(?:is|are|was|were) told\b/gi, 0],
  [/\bof whom\b/gi, 0],
];

/** The pages without their blocks of code. */
const prose = pages.map((page) => textOf(page).replace(/^```[^]*?^```/gm, '')).join('\n');

test.each(budgets)('the pages have no more of %s than %d', (phrase, budget) => {
  expect((prose.match(phrase) ?? []).length).toBeLessThanOrEqual(budget);
});
