import { expect, test } from '@jest/globals';

import {
  functions,
  inOrder,
  statementOf,
} from '../../../../lib/operator/stores/postgres/schema/functions';
import { migrations } from '../../../../lib/operator/stores/postgres/schema/migrations';

const sql = migrations.map((migration) => migration.source).join('\n');

/** The names of a function's parameters, as its migration declares them. */
function declared(name: string): string[] {
  const [, list = ''] =
    new RegExp(`CREATE FUNCTION \\{schema\\}\\.${name}\\(([^)]*)\\)`).exec(sql) ?? [];
  return list.split(',').map((parameter) => parameter.trim().split(' ')[0] ?? '');
}

test.each(Object.values(functions))('$name has the parameters of its migration', (called) => {
  expect([...called.parameters].toSorted()).toEqual(declared(called.name).toSorted());
});

test('a statement names each parameter, and values are sent in that order', () => {
  const { text } = statementOf(functions.readRound, 'wallet');
  expect(text).toContain('read_round(of_operator => $1, of_player => $2, of_round => $3)');
  const values = { of_round: 'r', of_player: 'p', of_operator: 'o' };
  expect(inOrder(functions.readRound, values)).toEqual(['o', 'p', 'r']);
});
