import { expect, test } from '@jest/globals';

import { drawTable } from '../../lib/cli/rounds/text';

test('the amounts of a column end below each other, other texts begin so', () => {
  const rows = [
    ['ann', '1000.50 EUR', '-3'],
    ['barbara', '7 EUR', ''],
  ];
  expect(drawTable(['player', 'debits', 'moved'], rows)).toEqual([
    'player        debits  moved',
    'ann      1000.50 EUR     -3',
    'barbara        7 EUR',
  ]);
});

test('a column with one text that is no amount is one of texts', () => {
  const rows = [['7 EUR'], ['10, bonus 2 EUR']];
  expect(drawTable(['debits'], rows)).toEqual(['debits', '7 EUR', '10, bonus 2 EUR']);
});
