import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { describe, expect, test } from '@jest/globals';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import type { RoundJson } from '../../lib/operator/wallet';
import { createRig, credit, debit, end, operatorId, playerId } from '../operator/http/rig';
import { filesBelow, ROOT, textOf } from '../tidy/source';
import { type Block, blockOf, blocksOf, pages, placeOf } from './blocks';

const blocks = pages.flatMap(blocksOf);
const tests = filesBelow('test/docs', ['.ts']).map(textOf).join('\n');
/** Pages of which a test runs every program, whatever its name. */
const runWhole = ['docs/client.md', 'docs/provider.md', 'docs/recipes.md'];

/** Whether the tests name the block, or run the whole page that it is on. */
function isRun({ page, name, runBy }: Block): boolean {
  if (runBy !== null)
    return existsSync(join(ROOT, runBy)) && textOf(runBy).includes(page.replace(/.*\//, ''));
  if (name === null) return false;
  return runWhole.includes(page) || tests.includes(`'${name}'`);
}

describe('the fenced blocks of the pages', () => {
  test('are all found: as many as the fences that open and close', () => {
    const fences = pages.flatMap((page) => textOf(page).match(/^```/gm) ?? []);
    expect(blocks.length).toBeGreaterThan(40);
    expect(fences).toHaveLength(blocks.length * 2);
  });

  test('each say their language', () => {
    const known = ['ts', 'js', 'sh', 'json', 'sql', 'yaml', 'ini', 'text', 'python', 'go'];
    expect(blocks.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([]);
  });

  test('are run by a test, stand in the examples, fit a schema, or say why they are not run', () => {
    const left = blocks.filter(({ language, isExcerpt, notRun, schema, ...block }) => {
      const isExempt = language === 'text' || language === 'ini' || isExcerpt;
      return (
        !isExempt &&
        notRun === null &&
        schema === null &&
        !isRun({ ...blocks[0], ...block } as Block)
      );
    });
    expect(left.map(placeOf)).toEqual([]);
  });

  test('that are not run are these', () => {
    const reasons = blocks.flatMap(({ page, notRun }) =>
      notRun === null ? [] : `${page}: ${notRun}`,
    );
    expect([...new Set(reasons)].toSorted()).toEqual([
      'CONTRIBUTING.md: it is what runs this',
      'README.md: it installs the package from a registry',
      'README.md: it is what runs this',
      'README.md: the tests run the demo by itself',
      'docs/languages.md: it installs the package from a registry',
      'docs/operations/service.md: docker is not there where the tests run',
      'docs/operators.md: docker is not there where the tests run',
      'docs/reconciliation.md: an excerpt of a file',
      'docs/reconciliation.md: it needs an RGS with rounds of that day',
      'docs/reconciliation.md: it needs an export of your RGS',
    ]);
  });

  test('that are excerpts are on three pages, whose code a test finds in the examples', () => {
    const excerpts = new Set(blocks.filter(({ isExcerpt }) => isExcerpt).map(({ page }) => page));
    expect([...excerpts].toSorted()).toEqual([
      'docs/journal.md',
      'docs/ledger.md',
      'docs/own-tables.md',
    ]);
  });

  test.each(
    blocks.filter(({ language }) => language === 'json').map((block) => [placeOf(block), block]),
  )('the JSON at %s parses, and fits the schema that it names', (_, block) => {
    const { code, schema } = block as Block;
    const value: unknown = JSON.parse(code);
    if (schema === null) return expect(value).toBeDefined();
    const ajv = new Ajv({ strict: false });
    const isValid = ajv.validate(JSON.parse(textOf(`schemas/${schema}`)) as object, value);
    return expect([isValid, ajv.errors]).toEqual([true, null]);
  });
});

test('the round that docs/operators.md shows is what readRound prints of such a round', async () => {
  const store = createMemoryStore();
  const rig = await createRig({ store });
  await rig.call([debit(2.5)]);
  await rig.call([credit(7.75), end]);
  await rig.close();
  const report = await store.rounds.readRound({ operatorId, playerId, gameRound: 'round-1' });
  const printed = JSON.parse(JSON.stringify(report)) as RoundJson;
  const shown = JSON.parse(blockOf('docs/operators.md', 'round').code) as RoundJson;
  expect(untimed(shown)).toEqual({ ...untimed(printed), operatorId: 'my-casino', playerId: 'ann' });
  expect(shown.stateSince).toBe(shown.transactions.at(-1)?.at);
});

/** A round without its times, which are another each time. */
function untimed({ stateSince, transactions, ...round }: RoundJson): object {
  expect(new Date(stateSince).toISOString()).toBe(stateSince);
  return { ...round, transactions: transactions.map((one) => ({ ...one, at: null })) };
}

test('every link of a page leads to a file, and to a heading where it names one', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function linksOf(page: string): string[] {
  const links = textOf(page).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].flatMap(([, link = '']) => (/^https?:/.test(link) ? [] : [link]));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(page, '..', path);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** The anchors of a page, as GitHub makes them. */
function headingsOf(page: string): string[] {
  const titles = textOf(page).matchAll(/^#+ (.*)$/gm);
  return [...titles].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
