import { expect, test } from '@jest/globals';

import type { Case } from '../../../lib/proof/certify';
import { playCase } from '../../../lib/proof/certify/run/session';
import { type CaseContext, unitsOf } from '../../../lib/proof/certify/talk';

const broken: Case = {
  id: 'broken-case',
  group: 'basics',
  level: 'required',
  rule: 'Operator API 4.1',
  given: 'a case with a defect',
  when: 'it is played',
  expected: 'the run goes on',
  play: () => Promise.reject(new TypeError('x is undefined')),
};

test('a case that breaks is undecided, never passed, and the run goes on', async () => {
  expect(await playCase(broken, {} as CaseContext)).toEqual({
    verdict: 'inconclusive',
    message: 'the case itself broke: TypeError: x is undefined',
    details: [],
    exchange: null,
    needs: null,
    steps: [],
  });
});

test.each([
  ['10.50', 105_000n],
  ['-0.0001', -1n],
  ['1e2', 1_000_000n],
  ['0.00001', null],
  ['9'.repeat(100_000), null],
  [undefined, null],
])('an amount of a reply is exact, or it is none', (text, units) => {
  expect(unitsOf(text)).toBe(units);
});
