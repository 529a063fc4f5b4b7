import { describe, expect, test } from '@jest/globals';

import { virtualClock } from '../../../../lib/platform/virtual-clock';
import type { Case, CaseResult } from '../../../../lib/proof/certify/talk/case';
import { createProgress } from '../../../../lib/proof/certify/report/progress';
import { caseOf, hostile, openCase } from './sample';

const plain = (text: string): string => text;
const noStyle = { good: plain, bad: plain, warn: plain, dim: plain };

function begun(one: CaseResult): Case {
  return { ...one, play: async () => {} };
}

/** Progress and what it wrote. */
function shown(isTTY: boolean, isQuiet = false, columns = 60) {
  const clock = virtualClock({ startedAt: 0 });
  const written: string[] = [];
  const out = { write: (text: string) => written.push(text), isTTY, columns };
  return { clock, written, progress: createProgress(out, { clock, style: noStyle, isQuiet }) };
}

const first = caseOf('plain-round', 'basics');
const second = caseOf('plain-void', 'basics');
const third = openCase('failed', 'required', { message: `came ${hostile}` });

describe('progress without a terminal', () => {
  test('is a line for each group, with its counts and time, and one for a failure at once', () => {
    const { progress, written } = shown(false);
    for (const [at, one] of [first, second, third].entries()) {
      progress.begins(begun(one), at, 3);
      progress.ended(one, at, 3);
    }
    progress.close();
    expect(written).toEqual([
      'basics: 2 passed (168 ms)\n',
      expect.stringMatching(
        /^failed {2}idempotency\/required-failed: came <script>.*\[U\+001B\].*\n$/,
      ),
      'idempotency: 1 failed (84 ms)\n',
    ]);
  });

  test('is a line every 10 seconds while a long case goes on', async () => {
    const { clock, progress, written } = shown(false);
    progress.begins(begun(first), 0, 3);
    await clock.pass(9_000);
    expect(written).toEqual([]);
    progress.note('120 of 200 histories');
    await clock.pass(11_500);
    expect(written).toEqual([
      'basics/plain-round, case 1 of 3: 120 of 200 histories, 10.0 s so far\n',
      'basics/plain-round, case 1 of 3: 120 of 200 histories, 20.0 s so far\n',
    ]);
  });

  test('leaves no timer behind when it is closed', () => {
    const { clock, progress } = shown(false);
    progress.begins(begun(first), 0, 3);
    expect(clock.waiting).toBe(1);
    progress.close();
    expect(clock.waiting).toBe(0);
  });

  test('has a group of cases that were not begun', () => {
    const { progress, written } = shown(false);
    progress.ended(openCase('inconclusive', 'required'), 0, 1);
    progress.close();
    expect(written).toEqual(['idempotency: 1 inconclusive (84 ms)\n']);
  });
});

describe('progress on a terminal', () => {
  test('is one line that is written again, never wider than the terminal, without an escape sequence', () => {
    const { progress, written } = shown(true, false, 30);
    progress.begins(begun(first), 0, 12);
    progress.note('120 of 200 histories');
    progress.ended(first, 0, 12);
    progress.begins(begun(second), 1, 12);
    progress.close();
    expect(written).toEqual([
      '\r 1 of 12  basics/plain-round',
      '\r 1 of 12  basics/plain-round:',
      '\r 2 of 12  basics/plain-void  ',
      `\r${' '.repeat(27)}\r`,
    ]);
  });

  test('names a case that fails at once, above the line, and counts it', () => {
    const { progress, written } = shown(true);
    progress.begins(begun(third), 2, 12);
    progress.ended(third, 2, 12);
    progress.begins(begun(first), 3, 12);
    expect(written[2]).toMatch(/^failed {2}idempotency\/required-failed: came <script>/);
    expect(written[3]).toBe('\r 4 of 12  1 failed  basics/plain-round');
  });

  test('shows a note at most ten times a second', async () => {
    const { clock, progress, written } = shown(true);
    progress.begins(begun(first), 0, 12);
    for (let at = 0; at < 50; at++) progress.note(`${at} of 50`);
    expect(written).toHaveLength(2);
    await clock.pass(100);
    progress.note('50 of 50');
    expect(written[2]).toContain('50 of 50');
  });
});

test.each([
  [true, false],
  [false, false],
  [true, true],
])('what is said is a whole line, terminal %s, quiet %s', (isTTY, isQuiet) => {
  const { progress, written } = shown(isTTY, isQuiet);
  progress.begins(begun(first), 0, 1000);
  progress.say('Stopping.');
  progress.close();
  expect(written.join('')).toMatch(/(?:^|\r)Stopping\.\n$/);
});

test.each([true, false])('quiet progress writes nothing and has no timer, terminal %s', (isTTY) => {
  const { clock, progress, written } = shown(isTTY, true);
  progress.begins(begun(third), 0, 1);
  progress.note('1 of 2');
  progress.ended(third, 0, 1);
  expect(clock.waiting).toBe(0);
  progress.close();
  expect(written).toEqual([]);
});
