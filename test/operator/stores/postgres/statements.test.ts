import { expect, test } from '@jest/globals';

import {
  migrations,
  statementsIn,
} from '../../../../lib/operator/stores/postgres/schema/migrations';

test.each<[what: string, source: string, statements: readonly string[]]>([
  ['two statements', 'SELECT 1; SELECT 2;', ['SELECT 1', 'SELECT 2']],
  ['a statement without an end', 'SELECT 1', ['SELECT 1']],
  ['nothing', ' ;\n-- no more\n', []],
  ['a string', "SELECT 'a;''b;'; SELECT 2", ["SELECT 'a;''b;'", 'SELECT 2']],
  ['a quoted name', 'SELECT 1 AS "a;b"; SELECT 2', ['SELECT 1 AS "a;b"', 'SELECT 2']],
  ['a body', "DO $$ SELECT ';'; $$; SELECT 2", ["DO $$ SELECT ';'; $$", 'SELECT 2']],
  ['a body in a body', 'DO $a$ $$;$$; $a$; SELECT 2', ['DO $a$ $$;$$; $a$', 'SELECT 2']],
  ['a parameter', 'PREPARE p AS SELECT $1; SELECT $2', ['PREPARE p AS SELECT $1', 'SELECT $2']],
  ['a comment before', "-- it's; so\nSELECT 1;", ["-- it's; so\nSELECT 1"]],
  ['a comment within', 'SELECT /* ; */ 1; SELECT 2', ['SELECT /* ; */ 1', 'SELECT 2']],
])('a semicolon ends a statement, and not in what is enclosed: %s', (_, source, statements) => {
  expect(statementsIn(source)).toEqual(statements);
});

test('each statement of the schema creates one thing, or writes a setting', () => {
  const [schema] = migrations;
  const statements = statementsIn(schema?.source ?? '').map((text) =>
    text.replace(/^--.*\n/gm, ''),
  );
  const kinds =
    /^\s*(?:CREATE (?:TABLE|INDEX|TYPE|FUNCTION|TRIGGER|VIEW)|INSERT INTO) \{schema\}\./;
  const index = /^\s*CREATE (?:INDEX|UNIQUE INDEX|TRIGGER) \w+ /;
  expect(statements.filter((text) => !kinds.test(text) && !index.test(text))).toEqual([]);
  expect(statements.length).toBeGreaterThan(80);
});
