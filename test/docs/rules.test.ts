import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from '@jest/globals';
import { errorCatalogue } from '../../lib/protocol/operator-api/catalogue';
import * as client from '../../lib/operator/client';
import { ROOT, textOf } from '../tidy/source';
import { allTests, cites, decidedIn } from './citations';

const [page = ''] = textOf('docs/protocol.md').split('\n## Decided in\n');
const tests = allTests();

/** The rules that the page states: D1.1 in a table, D3.1 in a list; D7 to D10 by their headings. */
const stated = [...matches(/^(?:\| |- \*\*)(D\d+\.\d+)\b/gm), ...matches(/^## (D(?:[789]|10)) /gm)];
const decided = decidedIn(textOf('docs/protocol.md'));

function matches(pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, found = '']) => found);
}

describe('the rules of docs/protocol.md', () => {
  test('are found: those of D1 to D6 and D10 to D13 by number, and D7 to D10', () => {
    expect(stated).toHaveLength(62);
    expect([...decided.keys()].toSorted()).toEqual(stated.toSorted());
  });

  test.each([...decided])('%s is cited by each file that decides it', (rule, files) => {
    const silent = files.filter((file) => !cites(readFileSync(join(ROOT, file), 'utf8'), rule));
    expect(silent).toEqual([]);
  });

  test.each(stated)('%s is cited by a test', (rule) => {
    expect(cites(tests, rule)).toBe(true);
  });

  test('a rule is not cited by the number of another', () => {
    expect(cites('(D4.10)', 'D4.1')).toBe(false);
    expect(cites('(D10)', 'D1')).toBe(false);
    expect(cites('D7. Then D4.1, D6.3.', 'D7')).toBe(true);
    expect(cites('D7. Then D4.1, D6.3.', 'D6.3')).toBe(true);
  });
});

describe('the error catalogue', () => {
  test('is the table of D8, id by id', () => {
    const rows = [...page.matchAll(/^\| (\d+) \| ([A-Z]+) \|/gm)].map(([, id, code]) => [
      code,
      Number(id),
    ]);
    const entries = Object.entries(errorCatalogue).map(([code, { id }]) => [code, id]);
    expect(rows).toEqual(entries);
  });

  test('has every id that docs/operators.md names, and that page names every id', () => {
    const table =
      textOf('docs/operators.md').split('## What the wallet answers')[1]?.split('\n## ')[0] ?? '';
    const cells = [...table.matchAll(/^\| \d{3}.*\| ([^|]*) \|$/gm)].map(([, cell = '']) => cell);
    const ids = cells.join(',').replace('9000 to 9006', '9000, 9001, 9002, 9003, 9004, 9005, 9006');
    const named = new Set((ids.match(/\d+/g) ?? []).map(Number));
    const known = Object.values(errorCatalogue).map(({ id }) => id);
    expect([...named].toSorted((one, other) => one - other)).toEqual(known);
  });
});

test('the errors of the client are those of the table in docs/client.md, class by class', () => {
  const rows = [...textOf('docs/client.md').matchAll(/^\| `(\w+Error)` \| `([A-Z_]+)` \|/gm)];
  const call = { operation: 'getStats', attempts: 1 };
  const none = { id: null, msg: null, clientmsg: null };
  const errors: readonly client.RgsClientError[] = [
    new client.InvalidRequestError('getStats', 'groupBy', 'must be texts'),
    new client.ServiceError(call, 500, none),
    new client.SignatureRefusedError(call, 401, null),
    new client.InvalidReplyError(call, 200, '', 'is no JSON'),
    new client.NetworkError(call, 'ECONNREFUSED'),
    new client.TimeoutError(call, 'call'),
    new client.AbortedError(call),
  ];
  const exported = Object.keys(client).filter(
    (name) => name.endsWith('Error') && name !== 'RgsClientError',
  );
  expect(rows.map(([, name, code]) => [name, code])).toEqual(
    errors.map(({ name, code }) => [name, code]),
  );
  expect(exported.toSorted()).toEqual(errors.map(({ name }) => name).toSorted());
});

test('every option of the router is in the table of docs/operators.md', () => {
  const schema = JSON.parse(textOf('schemas/options/operator.json')) as { properties: object };
  const section =
    textOf('docs/operators.md').split('\n## Options of the router')[1]?.split('\n## ')[0] ?? '';
  const unnamed = Object.keys(schema.properties).filter((name) => !section.includes(`\`${name}\``));
  expect(unnamed).toEqual([]);
});

test('what docs/platforms.md says the suites run on is what is installed for them', () => {
  const { devDependencies } = JSON.parse(textOf('package.json')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const platforms = textOf('docs/platforms.md');
  const version = (name: string, parts: number): string => {
    const [exact = ''] = /\d+\.\d+\.\d+/.exec(devDependencies[name] ?? '') ?? [];
    return exact.split('.').slice(0, parts).join('.');
  };
  const claims = [
    `TypeScript ${version('typescript', 2)},`,
    `Express ${version('express4', 2)} and ${version('express', 2)}`,
    `ioredis ${version('ioredis5', 2)} and ${version('ioredis', 2)}`,
    `pg ${version('pg', 1)}`,
    `NestJS ${version('@nestjs/core', 1)}, Fastify ${version('fastify', 1)}, Koa ${version('koa', 1)}, Hono ${version('hono', 1)}`,
  ];
  expect(claims.filter((claim) => !platforms.includes(claim))).toEqual([]);
});
