import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { Script, type ScriptNames } from '../../../../lib/operator/stores/redis/commands/script';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import { filesBelow } from '../../../tidy/source';

const folder = 'lib/operator/stores/redis/commands';

function textOf(name: string): string {
  return readFileSync(join(__dirname, '../../../..', folder, `${name}.lua`), 'utf8');
}

/** The header of a script and the Lua below it. */
function partsOf(name: string): { readonly header: string; readonly body: string } {
  const [, header = '', body = ''] = /^#!lua[^\n]*\n((?:--.*\n)+)([^]*)$/.exec(textOf(name)) ?? [];
  return { header, body };
}

/** The names that a header describes, in its order: `KEYS round`, and `history KEYS list` of a part. */
function described(header: string): string[] {
  let part = '';
  return header.split('\n').flatMap((line) => {
    const [, opened] = /^-- part (\w+)\b/.exec(line) ?? [];
    if (opened !== undefined) part = `${opened} `;
    const [, indent, table, name] = /^-- ( {2})?(KEYS|ARGV) (\w+(?:\.{3})?):/.exec(line) ?? [];
    if (name === undefined) return [];
    if (indent === undefined) part = '';
    return [`${part}${table} ${name}`];
  });
}

function listed({ keys = [], args = [], parts = {}, extra }: ScriptNames): string[] {
  return [
    ...keys.map((name) => `KEYS ${name}`),
    ...args.map((name) => `ARGV ${name}`),
    ...Object.entries(parts).flatMap(([part, names]) =>
      listed(names).map((name) => `${part} ${name}`),
    ),
    ...(extra === undefined ? [] : listed(extra).map((name) => `extra ${name}`)),
  ];
}

const all: readonly (readonly [string, Script])[] = Object.values(scripts).map((script) => [
  script.name,
  script,
]);

test('every Lua file is a script, or a part of one', () => {
  const files = filesBelow('lib', ['.lua']).map((path) => relative(folder, path).slice(0, -4));
  expect(files.toSorted()).toEqual(
    [...all.map(([name]) => name), 'fields', 'limits/count', 'tell'].toSorted(),
  );
});

describe.each(all)('%s.lua', (name, { names }) => {
  const { header, body } = partsOf(name);

  test('its header describes what it is sent, in the order of the list, and its reply', () => {
    const isCommit = header.includes('-- KEYS and ARGV as in commit.lua');
    const { header: own } = isCommit ? partsOf('commit') : { header };
    expect(described(own)).toEqual(listed(names));
    expect(header).toContain('-- Reply: ');
    if ((names.keys ?? []).length === 0) expect(header).toContain('-- KEYS none');
    if ((names.args ?? []).length === 0) expect(header).toContain('-- ARGV none');
  });

  test('it uses each name of the list, and none by counting', () => {
    const used = body + (body.includes('run_commit(') ? partsOf('commit').body : '');
    const unused = listed(names).filter((one) => {
      const [table = '', own = ''] = one.replaceAll('...', '').split(' ').slice(-2);
      const isOfPart = one.split(' ').length === 3;
      return !new RegExp(`${isOfPart ? String.raw`\w` : table}\\.${own}\\b`).test(used);
    });
    expect(unused).toEqual([]);
    expect(body).not.toMatch(/\b(?:KEYS|ARGV)\s*\[|#(?:KEYS|ARGV)\b(?!\.)|table\.remove/);
  });

  test('the initials of its parts tell them apart', () => {
    const initials = Object.keys(names.parts ?? {}).map((part) => part.charAt(0));
    expect(new Set(initials).size).toBe(initials.length);
  });
});

test('a name that is not listed is refused when the script is read', () => {
  expect(() => new Script('rounds/read', { keys: ['account'] }, false)).toThrow(
    'KEYS.round of rounds/read.lua is not listed',
  );
});

test('keys and arguments are sent in the order of the list, those of parts last', () => {
  const required = {
    account: 'account',
    round: 'round',
    added: 'added',
    gameCode: 'game',
    fields: 'fields',
    movements: 'movements',
  };
  const history = { name: 'name', kept: 'kept', list: 'list' };
  const carried = { closedAt: 'closed', keep: 7 };
  const sent = scripts.follow.sent({
    carried,
    open: null,
    history,
    events: null,
    limits: null,
    ...required,
  });
  const [keys, args] = ['account round list kept', 'hc added game fields movements name'];
  expect(sent).toEqual([4, ...keys.split(' '), ...args.split(' '), 7, 'closed']);
});

test('lists are sent in turn', () => {
  const call = {
    events: ['e1', 'e2'],
    cursors: ['c1', 'c2'],
    consumer: 'a',
    atMost: 3,
    least: 2,
    first: 1,
  };
  expect(scripts.readEvents.sent(call)).toEqual([4, 'e1', 'c1', 'e2', 'c2', 'a', 3, 2, 1]);
  const { events, cursors, consumer } = call;
  const moves = {
    events,
    cursors,
    consumer,
    declared: 'a b',
    before: ['', '1-0'],
    next: ['1-0', '2-0'],
  };
  const sent = scripts.advanceEvents.sent(moves);
  expect(sent).toEqual([4, 'e1', 'c1', 'e2', 'c2', 'a', 'a b', '', '1-0', '1-0', '2-0']);
});

test('a call without a name, or with half a part, does not compile', () => {
  const call = { account: '', round: '', added: '', gameCode: '', fields: '', movements: '' };
  const absent = { events: null, open: null, carried: null };
  const wrong = [
    // @ts-expect-error the round is missing
    () => scripts.load.sent({ account: 'account', fields: [] }),
    // @ts-expect-error a list is no text
    () => scripts.readHeads.sent({ rounds: 'round' }),
    // @ts-expect-error the part lacks the name of the round
    () => scripts.follow.sent({ ...call, ...absent, history: { list: 'list', kept: 'kept' } }),
  ];
  expect(wrong).toHaveLength(3);
});
