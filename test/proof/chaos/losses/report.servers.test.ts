import { expect, test } from '@jest/globals';

import { type ChaosReport, wrongsIn } from '../play';
import { chaosText } from '../report';
import type { LossReport } from './play';

const doneAt = new Date('2026-01-01T00:00:01.000Z');
const refusal = { at: new Date('2026-01-01T00:00:01.250Z'), reason: 'Redis lacks 2 of them' };
const noticed: LossReport = {
  kind: 'older-rdb',
  beganAt: new Date('2026-01-01T00:00:00.000Z'),
  doneAt,
  lost: 3,
  lostRounds: 2,
  noticed: [refusal, refusal],
  afterwards: [],
};

function reportOf(loss: Partial<LossReport>): ChaosReport {
  const count = { calls: 0, rounds: 0, processed: 0, refused: 0, pending: 0 };
  return {
    store: 'redis',
    seed: 1,
    seconds: 1,
    figures: { ...count, failed: 0, failedCredits: 0, lost: 0, voids: 0 },
    recoveries: new Map(),
    differences: [],
    waiting: [],
    violations: [],
    losses: [{ ...noticed, ...loss }],
  };
}

test('a loss that both processes notice is reported with what is gone, when, and by what', () => {
  const report = reportOf({});
  expect(wrongsIn(report)).toBe(0);
  expect(chaosText(report)).toContain(
    [
      '  older-rdb at 2026-01-01T00:00:01.000Z: 3 acknowledged transactions of 2 rounds are gone',
      '    process 1: not ready 250 ms later: Redis lacks 2 of them',
      '    process 2: not ready 250 ms later: Redis lacks 2 of them',
      '  wrong: 0',
    ].join('\n'),
  );
});

test.each<readonly [string, Partial<LossReport>]>([
  ['older-rdb: 1 of 2 processes did not notice it', { noticed: [refusal, null] }],
  ['older-rdb: nothing was lost', { lost: 0 }],
  [
    'older-rdb, afterwards: ann has 1, the book says 2',
    { afterwards: ['ann has 1, the book says 2'] },
  ],
])('the run fails with: %s', (text, loss) => {
  const report = reportOf(loss);
  expect(wrongsIn(report)).toBe(1);
  expect(chaosText(report)).toContain(`  wrong: 1\n    ${text}\n`);
});
