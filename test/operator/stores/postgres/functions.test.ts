import { expect, test } from '@jest/globals';

import { functions } from '../../../../lib/operator/stores/postgres/schema/functions';
import { inOrder, statementOf } from '../../../../lib/operator/stores/postgres/schema/statement';
import { migrations } from '../../../../lib/operator/stores/postgres/schema/migrations';

const sql = migrations.map((migration) => migration.source).join('\n');

function namesOf(parameters: readonly string[]): string[] {
  return parameters.map((parameter) => parameter.split(' ')[0] ?? '');
}

function isOptional(parameter: string): boolean {
  return parameter.includes(' DEFAULT ');
}

/** A function's parameters as its latest migration declares them, by whether they have a default. */
function declared(name: string): { readonly needed: string[]; readonly optional: string[] } {
  const form = new RegExp(`CREATE FUNCTION \\{schema\\}\\.${name}\\(([^)]*)\\)`, 'g');
  const [, list = ''] = [...sql.matchAll(form)].at(-1) ?? [];
  const all = list.split(',').map((parameter) => parameter.trim());
  return {
    needed: namesOf(all.filter((parameter) => !isOptional(parameter))),
    optional: namesOf(all.filter(isOptional)),
  };
}

test.each(Object.values(functions))('$name has the parameters of its migration', (called) => {
  const { needed, optional } = declared(called.name);
  const given = optional.filter((name) => called.parameters.some((own) => own === name));
  expect([...called.parameters].toSorted()).toEqual([...needed, ...given].toSorted());
});

test('a statement names each parameter, and values are sent in that order', () => {
  const { text } = statementOf(functions.readRound, 'wallet');
  expect(text).toContain('read_round(of_operator => $1, of_player => $2, of_round => $3)');
  const values = { of_round: 'r', of_player: 'p', of_operator: 'o' };
  expect(inOrder(functions.readRound, values)).toEqual(['o', 'p', 'r']);
});
