import { expect, test } from '@jest/globals';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { allCases, groups } from '../../../lib/proof/certify';
import { planOf } from '../../../lib/proof/certify/run/options';

const ids = allCases.map(({ id }) => id);
const titled = allCases.map((one) => [one.id, one] as const);

test('each case has an id of its own, in words with hyphens, that is no group', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  expect(ids.filter((id) => groups.some((group) => group === id))).toEqual([]);
});

test('there are at least 110 cases, some in each group', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(110);
  expect(groups.filter((group) => !allCases.some((one) => one.group === group))).toEqual([]);
});

test('the cases stand in the order of their groups, each behind what it stands on', () => {
  const order = allCases.map(({ group }) => groups.indexOf(group));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  const early = allCases.flatMap(({ id, after = [] }, index) =>
    after.filter((below) => !ids.slice(0, index).includes(below)).map((below) => `${id}: ${below}`),
  );
  expect(early).toEqual([]);
});

test.each(titled)('%s says what it is about', (_, { rule, given, when, expected }) => {
  for (const text of [given, when, expected]) {
    expect(text).not.toMatch(/^[A-Z][a-z]|\.$|^$/);
  }
  expect(rule).not.toBe('');
});

test('a required case names a section of the specification, and rests on nothing else', () => {
  const required = allCases.filter(({ level }) => level === 'required');
  const homeless = required.filter(({ rule }) => {
    return !/^Operator API \d/.test(rule) || /public documentation|\bD\d/i.test(rule);
  });
  expect(homeless.map(({ id }) => id)).toEqual([]);
});

test('an advisory case names a D-number, and what another wallet may do', () => {
  const advisory = allCases.filter(({ level }) => level === 'advisory');
  const silent = advisory.filter(({ rule, otherwise }) => !/\bD\d/.test(rule) || !otherwise);
  expect(silent.map(({ id }) => id)).toEqual([]);
});

test('a run of one case plays the basics and what the case stands on', () => {
  const last = allCases.findLast(({ after, group }) => after !== undefined && group !== 'load');
  const plan = planOf(allCases, { only: [last?.id ?? ''], withLoad: false }).map(({ id }) => id);
  const basics = allCases.filter(({ group }) => group === 'basics').map(({ id }) => id);
  expect(plan).toEqual(expect.arrayContaining([...basics, last?.id, ...(last?.after ?? [])]));
  expect(plan.length).toBeLessThan(basics.length + 10);
});

test('the profile of the specification has no advisory case, and a load is played only where asked for', () => {
  const plan = planOf(allCases, { profile: 'specification', withLoad: false });
  expect(plan.filter(({ level }) => level === 'advisory')).toEqual([]);
  expect(plan.filter(({ group }) => group === 'load')).toEqual([]);
  const loaded = planOf(allCases, { profile: 'full', withLoad: true });
  expect(loaded.map(({ id }) => id)).toEqual(ids);
});

test('a name that is neither a group nor a case is refused', () => {
  expect(() => planOf(allCases, { only: ['viods'], withLoad: false })).toThrow(
    new TypeError('only: there is no group and no case "viods"'),
  );
});

test('docs/certification.md has the number of required cases', () => {
  const page = readFileSync(join(__dirname, '../../../docs/certification.md'), 'utf8');
  const required = allCases.filter(({ level }) => level === 'required');
  expect(/\d+ of (\d+) required cases pass,/.exec(page)?.[1]).toBe(`${required.length}`);
});
