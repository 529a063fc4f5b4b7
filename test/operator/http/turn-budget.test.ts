import { describe, expect, test } from '@jest/globals';
import { AnswerTimes, TurnBudget, turnLimitsOf } from '../../../lib/operator/http/turn-budget';
import { TestLoop } from '../../platform/test-loop';

const limits = turnLimitsOf('test', { turnBudgetMs: 10, turnSpikeMs: 100 });

/** Does the steps of a line, such as `sleep 5; a 3; turn`: a name is a call of that caller, which takes so many milliseconds. */
function play(steps: string, operatorIds: readonly string[] = ['a', 'b']) {
  const loop = new TestLoop();
  const turns: number[] = [];
  const budget = new TurnBudget(loop, limits, operatorIds, (ms) => turns.push(ms));
  for (const step of steps.split(';').map((each) => each.trim())) {
    const [, times = '1', what = '', number = '0'] = /^(?:(\d+) x )?(\w+) ?(\d*)/.exec(step) ?? [];
    const ms = Number(number);
    for (let time = 0; time < Number(times); time++) {
      if (what === 'sleep') loop.sleep(ms);
      else if (what === 'work') loop.work(ms);
      else if (what === 'turn') loop.endTurn();
      else if (what === 'long') longTurn(loop, budget, ms);
      else {
        budget.begin();
        loop.work(ms);
        budget.charge(what === 'stranger' ? '' : what);
      }
    }
  }
  return { budget, turns, loop };
}

/** Two calls in a turn of so many milliseconds, which ends without sleep. */
function longTurn(loop: TestLoop, budget: TurnBudget, ms: number): void {
  budget.begin();
  loop.work(ms);
  budget.begin();
  loop.endTurn();
}

/** The cells of the lines of a table, without comments. */
function rows(table: string): string[][] {
  const lines = table.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.filter(Boolean).map((line) => line.split('|').map((cell) => cell.trim()));
}

// Budget 10 ms, spike 100 ms, window 100 ms.
const usedUp = `
  # at other times a single turn may take a spike
  sleep 5; a 1                                 | no
  sleep 5; a 60; a 40                          | no
  sleep 5; a 60; a 41                          | yes
  # work beside calls counts too
  sleep 5; a 1; work 100                       | yes
  # a turn that ended does not count, with or without sleep after it
  sleep 5; a 60; a 50; turn                    | no
  sleep 5; a 60; a 50; sleep 1                 | no
  sleep 5; a 60; a 50; turn; a 50; a 51        | yes
  # overloaded: every turn of the window was over the budget
  sleep 5; 10 x long 11; a 11                  | yes
  sleep 5; 10 x long 11; a 10                  | no
  sleep 5; 9 x long 11; a 11                   | no
  sleep 5; 5 x long 15; long 9; 5 x long 15; a 11 | no
  sleep 5; 10 x long 10; a 11                  | no
  # a turn at the budget ends it with the next window
  sleep 5; 10 x long 11; long 10; 9 x long 11; a 11 | no
  sleep 5; 10 x long 11; long 10; a 11         | yes
  # sleep beyond the budget ends it at once, less does not
  sleep 5; 10 x long 11; sleep 11; a 11        | no
  sleep 5; 10 x long 11; sleep 10; a 11        | yes
  sleep 5; 10 x long 11; sleep 6; a 1; sleep 6; a 11 | no
  # and begins the window anew
  sleep 5; 9 x long 11; sleep 11; long 11; a 11 | no
`;

test.each(rows(usedUp))('%s: the turn is used up: %s (P12)', (steps, expected) => {
  const { budget } = play(steps);
  expect(budget.begin() ? 'yes' : 'no').toBe(expected);
});

// Half of 10 ms, for two operators.
const shares = `
  sleep 5; a 2                      | -
  sleep 5; a 3                      | a
  sleep 5; a 1; b 9; a 2            | a b
  sleep 5; b 2; stranger 90         | -
  sleep 5; a 3; sleep 1; a 1        | -
  sleep 5; a 3; a 1; turn; a 1      | -
  # what a call does after it has waited is not charged
  sleep 5; a 2; work 50             | -
  # nor what comes before the next call begins
  sleep 5; a 1; work 50; a 1        | -
`;

test.each(rows(shares))('%s: used their share of the turn: %s (P12)', (steps, expected) => {
  const { budget } = play(steps);
  const used = ['a', 'b', 'unknown'].filter((id) => budget.hasUsedShare(id));
  expect(used.join(' ') || '-').toBe(expected);
});

test('an operator whose calls had all begun has a turn of its own: what others wait does not count (P12)', () => {
  const { budget, loop } = play('sleep 5; b 90');
  budget.renewShare('a');
  const isUsedUp = (ms: number): boolean[] => {
    budget.begin();
    loop.work(ms);
    budget.charge('a');
    const isOver = budget.begin();
    return ['a', 'b'].map((id) => isOver && budget.isUsedUpFor(id));
  };
  expect(isUsedUp(11)).toEqual([false, true]);
  expect(isUsedUp(89)).toEqual([false, true]);
  expect(isUsedUp(1)).toEqual([true, true]);
});

test('a single operator has half of the budget', () => {
  expect(play('sleep 5; a 5', ['a']).budget.hasUsedShare('a')).toBe(false);
  expect(play('sleep 5; a 6', ['a']).budget.hasUsedShare('a')).toBe(true);
});

describe('a process with little to do', () => {
  test('does not watch the end of its turns', () => {
    const { loop, turns } = play('100 x sleep 5; sleep 5; a 1; sleep 5; a 1');
    expect([loop.watchers, turns]).toEqual([0, []]);
  });

  test('watches a turn once from its second call on', () => {
    const { loop } = play('sleep 5; a 1; a 1; a 1; a 1');
    expect(loop.watchers).toBe(1);
  });

  test('reports what each watched turn took', () => {
    expect(play('sleep 5; a 1; a 2; turn; a 4; turn; sleep 9; a 1; b 7; turn').turns).toEqual([
      3, 4, 8,
    ]);
  });
});

test('where the sleep of the loop is not measured, no turn is used up', () => {
  const loop = Object.assign(new TestLoop(), { sleptMs: () => 0 });
  const budget = new TurnBudget(loop, limits, ['a']);
  loop.work(1000);
  expect(budget.begin()).toBe(false);
  expect(loop.watchers).toBe(0);
});

/** So many calls at once, each answered so long after it came, and some more that wait. */
function answered(count: number, ms: number, waiting = 1, others: readonly number[] = []) {
  const times = new AnswerTimes(limits, ['a', 'b']);
  for (let at = 0; at < count + others.length + waiting; at++) times.begin('a', 100);
  for (const one of others) times.end('a', one, 100);
  for (let at = 0; at < count; at++) times.end('a', ms, 1000 + at);
  return times;
}

describe('answers of the store', () => {
  test('are late once all of them took longer than the budget (P12)', () => {
    expect(answered(16, 11).areLate('a', 1016)).toBe(true);
    expect(answered(16, 10).areLate('a', 1016)).toBe(false);
    expect(answered(15, 11, 1, [3]).areLate('a', 1016)).toBe(false);
  });

  test('are not late by few of them', () => {
    expect(answered(15, 11).areLate('a', 1016)).toBe(false);
  });

  test('are not late once no call waits for the store: the next is let in', () => {
    expect(answered(16, 11, 0).areLate('a', 1016)).toBe(false);
  });

  test('are not late any more once the store was not waited for during the budget (P12)', () => {
    const late = [1025, 1026].map((nowMs) => {
      const times = answered(16, 11, 0);
      for (let at = 0; at < 2; at++) times.begin('a', nowMs);
      return times.areLate('a', 1025);
    });
    expect(late).toEqual([true, false]);
    const waiting = answered(16, 11);
    waiting.begin('a', 1026);
    expect(waiting.areLate('a', 1016)).toBe(true);
  });

  test('are not late any more once one of a later window was in time', () => {
    const times = answered(16, 11, 50);
    for (let at = 0; at < 15; at++) times.end('a', 11, 1200);
    times.end('a', 2, 1200);
    expect(times.areLate('a', 1201)).toBe(false);
  });

  test('are not late for as long as one call hangs: after a budget without any one is let in, which may be in time (P12)', () => {
    const times = answered(16, 11);
    expect([1025, 1026].map((nowMs) => times.areLate('a', nowMs))).toEqual([true, false]);
    times.begin('a', 1026);
    expect(times.areLate('a', 1026)).toBe(true);
    times.end('a', 11, 1037);
    expect([1047, 1048].map((nowMs) => times.areLate('a', nowMs))).toEqual([true, false]);
    times.begin('a', 1048);
    times.end('a', 10, 1058);
    expect(times.areLate('a', 1058)).toBe(false);
  });

  test('of one operator say nothing of another, or of a stranger', () => {
    const times = answered(16, 11);
    times.begin('b', 1100);
    times.begin('nobody', 1100);
    times.end('nobody', 99, 2000);
    expect(['b', 'nobody'].map((id) => times.areLate(id, 2000))).toEqual([false, false]);
  });
});

describe('the limits', () => {
  test.each([
    [{}, { turnBudgetMs: 500, turnSpikeMs: 500, turnWindowMs: 100 }],
    [{ turnBudgetMs: 10 }, { turnBudgetMs: 10, turnSpikeMs: 500, turnWindowMs: 100 }],
    [{ turnBudgetMs: 700 }, { turnBudgetMs: 700, turnSpikeMs: 700, turnWindowMs: 100 }],
  ])('of %j are %j', (given, expected) => {
    expect(turnLimitsOf('test', given)).toEqual(expected);
  });

  test('a spike below the budget is refused', () => {
    const wrong = { turnBudgetMs: 20, turnSpikeMs: 19 };
    expect(() => turnLimitsOf('maker', wrong)).toThrow('maker: turnSpikeMs must be at least');
  });
});
