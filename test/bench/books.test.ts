import { expect, test } from '@jest/globals';
import { checkBooks } from '../../bench/books';
import { startCents } from '../../bench/terms';

test('the books are right where each player has what the calls moved', () => {
  expect(() => checkBooks(['p', 'q'], [5, -3], [startCents + 5, startCents - 3])).not.toThrow();
});

test('a lost cent is reported with its player, and so is a missing balance', () => {
  expect(() => checkBooks(['p', 'q'], [5, -3], [startCents + 5, startCents - 4])).toThrow(
    `q has ${startCents - 4} cents, not ${startCents - 3}; 1 players are wrong, by -1 in all`,
  );
  expect(() => checkBooks(['p', 'q'], [0, 0], [startCents])).toThrow('q has NaN cents');
});
