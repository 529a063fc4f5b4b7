import { expect, test } from '@jest/globals';

import { checkActor, checkCorrection } from '../../../lib/operator/stores/check-input';
import { readCursor } from '../../../lib/operator/stores/postgres/codec/cash';

const maria = { id: 'maria', name: 'Maria' };
const order = {
  operatorId: 'op',
  playerId: 'ann',
  currency: 'EUR',
  reference: 'c',
  amount: '1',
  by: maria,
};

test.each([
  ['ten spaces', ' '.repeat(10)],
  ['nine letters and a space', 'nine char '],
  ['ten marks that turn the direction', '\u202e'.repeat(10)],
  ['ten spaces of no width', '\u200b'.repeat(10)],
  ['ten words behind a mark that turns the direction', 'a reason that \u202e is long enough'],
  ['a line end of Unicode', 'a reason of two\u2028lines'],
])('a reason that a person cannot read is refused: %s', (_, reason) => {
  expect(() => checkCorrection({ ...order, reason }, 2)).toThrow(/^reason must be/);
});

test('a reason in any script is taken as it is', () => {
  for (const reason of [
    'сбой игры 12',
    'خطأ في اللعبة',
    'ゲームの不具合のため返金',
    'refund 👍🏽 agreed',
  ]) {
    expect(checkCorrection({ ...order, reason }, 2)).toMatchObject({ reason });
  }
});

test.each([
  ['an id of a space', { id: ' ', name: 'Maria' }, /^by.id/],
  ['an id with a mark that turns the direction', { id: '\u202eairam', name: null }, /^by.id/],
  ['a name of spaces', { id: 'maria', name: '  ' }, /^by.name/],
  ['a name of marks without width', { id: 'maria', name: '\u200b\u2060' }, /^by.name/],
])('a person whom nobody can tell is refused: %s', (_, by, message) => {
  expect(() => checkActor(by)).toThrow(message);
});

test.each(['1:\u0000', ':a\u0007', '1:\ud800', '1', '', 'x:a'])(
  'a cursor of cash that no page gave is refused: %j',
  (cursor) => {
    expect(() => readCursor(cursor)).toThrow(TypeError);
  },
);
