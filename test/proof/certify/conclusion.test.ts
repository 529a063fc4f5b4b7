import { describe, expect, test } from '@jest/globals';

import { conclude } from '../../../lib/proof/certify/run/conclusion';
import type { LeftOut } from '../../../lib/proof/certify/talk/case';
import { caseOf, openCase } from './report/sample';

const passed = caseOf('plain-round', 'basics');
const differs = openCase('failed', 'advisory');

function needing(needs: string) {
  return openCase('inconclusive', 'required', { id: 'one-more', needs });
}

const leftOut: LeftOut = {
  id: 'rules-under-load',
  group: 'load',
  level: 'required',
  rule: 'Operator API 8',
  expected: 'the rules hold',
  why: 'without --load',
};

describe('the summary of a run', () => {
  test.each([
    ['1 of 1 required cases passed.', [passed]],
    ['1 of 1 required cases passed; 1 advisory case differs.', [passed, differs]],
    ['1 of 1 required cases passed; 2 advisory cases differ.', [passed, differs, differs]],
    ['1 of 2 required cases passed, 1 failed.', [passed, openCase('failed', 'required')]],
    [
      '1 of 4 required cases passed, 1 failed, 1 could not be decided, 1 excepted; 1 advisory case differs.',
      [
        passed,
        differs,
        openCase('failed', 'required'),
        openCase('inconclusive', 'required'),
        openCase('failed', 'required', { exception: 'known' }),
      ],
    ],
  ])('says how many, each in its own number: %s', (summary, cases) => {
    expect(conclude(cases).summary).toBe(summary);
  });

  test('names the reasons of what was not tried, and counts them where there is more than one', () => {
    expect(conclude([passed], { leftOut: [leftOut] }).summary).toBe(
      '1 of 2 required cases passed, 1 not tried (without --load).',
    );
    const cases = [passed, differs, needing('--kill and --start'), needing('--kill and --start')];
    expect(conclude(cases, { leftOut: [leftOut] }).summary).toBe(
      '1 of 4 required cases passed, 3 not tried (2 without --kill and --start; 1 without --load); 1 advisory case differs.',
    );
  });
});
