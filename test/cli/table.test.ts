import { expect, test } from '@jest/globals';

import { drawTable, moneyText, purseText } from '../../lib/cli/rounds/text';

test('the amounts of a column end below each other, also those of two balances and those not known; other texts begin so', () => {
  const rows = [
    ['ann', moneyText(10_005_000n, 'EUR', 4), moneyText(-3n, 'JPY', 0)],
    ['barbara', purseText({ real: '7', bonus: '0.005' }, 'EUR'), '?'],
  ];
  expect(drawTable(['player', 'debits', 'moved'], rows)).toEqual([
    'player                  debits   moved',
    'ann               1,000.50 EUR  −3 JPY',
    'barbara  7.00, bonus 0.005 EUR       ?',
  ]);
});

test('a column with one text that is no amount is one of texts', () => {
  const rows = [['7 EUR'], ['10, then 2 EUR']];
  expect(drawTable(['debits'], rows)).toEqual(['debits', '7 EUR', '10, then 2 EUR']);
});
