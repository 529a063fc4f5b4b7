import { expect, test } from '@jest/globals';

import { messageOf } from '../../lib/cli/terminal/failure';
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

test('what stands in two places of a terminal, or in none, moves no column', () => {
  const names = ['\u738b\u5c0f\u660e', 'e\u0301lan', '\u{1f3b0}', '\uff21\uff22', 'ann'];
  const rows = names.map((name) => [name, '7.00 EUR']);
  expect(drawTable(['player', 'debits'], rows)).toEqual([
    'player    debits',
    '\u738b\u5c0f\u660e  7.00 EUR',
    'e\u0301lan    7.00 EUR',
    '\u{1f3b0}      7.00 EUR',
    '\uff21\uff22    7.00 EUR',
    'ann     7.00 EUR',
  ]);
});

test('an error is one line that does not control the terminal, nor turn it around', () => {
  const hostile = 'ERR \u001b[2J\u009b31m\u0007 \u202egnp\u2028 1';
  expect(messageOf(new Error(hostile))).toBe('ERR ?[2J?31m? ?gnp? 1');
});

test('a column with one text that is no amount is one of texts', () => {
  const rows = [['7 EUR'], ['10, then 2 EUR']];
  expect(drawTable(['debits'], rows)).toEqual(['debits', '7 EUR', '10, then 2 EUR']);
});
