import { describe, expect, test } from '@jest/globals';

import { attemptsAtOnce, nextAttempt, type Repeat } from '../../../lib/rgs/settlement/settle';

const cases = `
E16.2 | past the maximum age credits are left to a person          | credits      | 1 | old | person
E16.2 | so are voids and ends                                      | voidsAndEnds | 1 | old | person
E16.2 | so are voids that were refused                             | refusedVoids | 1 | old | person
W4    | a void that was refused waits for the janitor              | refusedVoids | 1 | -   | janitor
O 4.1 | a credit is sent again at once after the first attempt     | credits      | 1 | -   | atOnce
O 4.1 | a fifth retry follows at once                              | credits      | 5 | -   | atOnce
O 3.7 | after five retries it waits for the launch or the janitor  | credits      | 6 | -   | launchOrJanitor
O 3.7 | and so for ever after                                      | credits      | 99 | -  | launchOrJanitor
W4    | a void or an end is sent again at once, five times         | voidsAndEnds | 5 | -   | atOnce
W4    | after them it waits for the janitor                              | voidsAndEnds | 6 | -   | janitor
`;

describe('when what is due is sent again', () => {
  const rows = cases.split('\n').filter((line) => line.trim() !== '');
  test.each(rows.map((line) => line.split('|').map((cell) => cell.trim())))(
    '%s: %s',
    (_rule, _sentence, repeat, attempts, age, expected) => {
      expect(nextAttempt(repeat as Repeat, Number(attempts), age === 'old')).toBe(expected);
    },
  );

  test('O 8: a call is sent once and up to five times more without a pause', () => {
    expect(attemptsAtOnce).toBe(1 + 5);
  });
});
