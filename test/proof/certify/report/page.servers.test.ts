import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

import { htmlReport } from '../../../../lib/proof/certify/report/page/document';
import { junitReport } from '../../../../lib/proof/certify/report/junit';
import { allCases } from '../../../../lib/proof/certify/run/all-cases';
import type { CaseResult, CertificationResult } from '../../../../lib/proof/certify/talk/case';
import { findChromium } from '../../../servers/chromium/binary';
import { caseOf, everyCase, passedSample, sample, unrunSample } from './sample';

const samples: readonly (readonly [string, CertificationResult])[] = [
  ['failed', sample()],
  ['passed', passedSample()],
  ['not run', unrunSample()],
];

/** Every case, with these differences. */
function every(more: Partial<CaseResult>): CaseResult[] {
  return allCases.map(({ id, group, level, rule, given, when, expected }) =>
    caseOf(id, group, { level, rule, given, when, expected, ...more }),
  );
}

const partial = passedSample({ leftOut: sample().leftOut });

const long = `${'x'.repeat(124)}"><b>\u202e${'y'.repeat(127)}`;

/** As long and as hostile as each field can be. */
const hostileRun = sample({
  operatorId: long,
  gameCode: long,
  currency: 'USDT<i>',
  runBy: `<b>${'w'.repeat(97)}`,
  wallet: { name: `<u>${'n'.repeat(97)}`, version: 'v'.repeat(100), sent: [long, `${long}2`] },
  urls: [`https://wallet.example/${'p'.repeat(230)}`],
  money: [long, `${long}2`].map((playerId) => {
    return { playerId, start: 9_007_199_254_740_991n, end: 1n };
  }),
});

let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rgs-wallet-report-'));
  browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

interface Look {
  readonly colorScheme?: 'light' | 'dark';
  readonly media?: 'screen' | 'print';
  readonly width?: number;
}

/** Opens the report as a file, as a reader does, and resolves to what the browser complained of. */
async function opened(
  result: CertificationResult,
  { colorScheme = 'light', media = 'screen', width = 1100 }: Look,
  work: (page: Page) => Promise<void>,
): Promise<string[]> {
  const file = join(folder, 'report.html');
  await writeFile(file, htmlReport(result));
  // The policy of the report forbids every script, also that of the audit.
  const context = await browser.newContext({
    colorScheme,
    bypassCSP: true,
    viewport: { width, height: 900 },
  });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => void problems.push(message.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(request.url());
    });
    await page.emulateMedia({ media });
    await page.goto(pathToFileURL(file).href);
    await work(page);
    return problems;
  } finally {
    await context.close();
  }
}

async function audit(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

describe('the HTML report in a browser, opened from a file', () => {
  const audits: readonly (readonly [string, CertificationResult, Look])[] = [
    ['failed', sample(), { colorScheme: 'light' }],
    ['failed', sample(), { colorScheme: 'dark' }],
    ['failed', sample(), { media: 'print' }],
    ['failed', sample(), { width: 390 }],
    ['failed', sample(), { width: 390, colorScheme: 'dark' }],
    ['passed in part', partial, { colorScheme: 'light' }],
    ['passed in part', partial, { colorScheme: 'dark' }],
    ['passed', passedSample(), { colorScheme: 'dark' }],
    ['not run', unrunSample(), { colorScheme: 'light' }],
    ['hostile', hostileRun, { width: 320 }],
  ];

  test.each(audits)('an audit finds nothing in a run that is %s, %#', async (_, result, look) => {
    const problems = await opened(result, look, async (page) => {
      await page.evaluate(
        'document.querySelectorAll("details").forEach((one) => { one.open = true; })',
      );
      expect(await audit(page)).toEqual([]);
    });
    expect(problems).toEqual([]);
  });

  test.each([320, 390, 1280])(
    'is as wide as a window of %i, and cuts nothing off',
    async (width) => {
      await opened(hostileRun, { width }, async (page) => {
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(width);
        const cut = await page.evaluate(
          `[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > ${width}).map((one) => one.outerHTML)`,
        );
        expect(cut).toEqual([]);
      });
    },
  );

  test('shows what a wallet answered as text, and runs nothing of it', async () => {
    await opened(sample(), {}, async (page) => {
      expect(await page.locator('img, script').count()).toBe(0);
      expect(await page.title()).toBe('Wallet certification of my-casino');
      const shown = await page.locator('article:has(#case-hostile-answer) pre').allTextContents();
      expect(shown.join()).toContain('<script>document.title="broken"</script><img src=x');
    });
  });

  test('has a section for each kind of finding, and no link to nothing', async () => {
    await opened(sample(), {}, async (page) => {
      expect(await page.locator('h2').allTextContents()).toEqual([
        'Money before and after',
        'Exceptions (1)',
        'Who ran what',
        'By group',
        'Not tried (2)',
        'Failed (3)',
        'Inconclusive (1)',
        'Exceptions in full (1)',
        'Advisory (2)',
        'Time to answer',
        'Passed (2)',
      ]);
      const broken = await page.evaluate(
        '[...document.links].map(({ hash }) => hash).filter((hash) => document.querySelector(hash) === null)',
      );
      expect(broken).toEqual([]);
    });
  });

  test('has each case once: with its evidence, as passed, or as not tried', async () => {
    await opened(sample(), {}, async (page) => {
      const shown = await page
        .locator('h3[id^=case-], section[aria-labelledby=untried] .names, .passed dt')
        .allTextContents();
      const names = [...everyCase, ...sample().leftOut].map(({ id }) => id);
      expect(shown.toSorted()).toEqual(names.toSorted());
    });
  });

  test('draws in each bar the shares that the numbers beside it say', async () => {
    await opened(sample(), {}, async (page) => {
      const rows = await page.evaluate<{ said: number[]; drawn: number[] }[]>(`
        [...document.querySelectorAll('section[aria-labelledby=groups] :is(tbody, tfoot) tr')].map((row) => ({
          said: [...row.querySelectorAll('.n')].map((cell) => Number(cell.textContent)),
          drawn: ['g', 'b', 'w', '', 's4'].map((fill) => {
            const [rect] = fill === '' ? [] : row.getElementsByClassName(fill);
            return rect === undefined ? 0 : Number.parseFloat(rect.getAttribute('width'));
          }),
        }))`);
      expect(rows).toHaveLength(5);
      for (const { said, drawn } of rows) {
        const total = said.reduce((sum, one) => sum + one, 0);
        const shares = said.map((one, at) => (at === 3 ? 0 : (100 * one) / total));
        for (const [at, share] of shares.entries()) expect(drawn[at]).toBeCloseTo(share, 1);
      }
    });
  });

  test('prints on paper, light also for a reader with dark colours', async () => {
    await opened(sample(), { colorScheme: 'dark', media: 'print' }, async (page) => {
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(paper).toBe('rgb(255, 255, 255)');
    });
  });

  test('folds advisory cases, and nothing that decides', async () => {
    await opened(sample(), {}, async (page) => {
      const folded = page.locator('details:not([open]) article');
      expect(await folded.count()).toBe(2);
      expect(await page.locator('article').count()).toBe(7);
      expect(await page.locator('details article').count()).toBe(2);
      expect(await page.locator('section[aria-labelledby=failed] details').count()).toBe(0);
    });
  });

  const { leftOut } = sample();
  const tried = every({}).map((one) =>
    ['crashes', 'retention', 'tenancy', 'blocks'].includes(one.group)
      ? { ...one, verdict: 'inconclusive' as const, needs: `--${one.group} and --more` }
      : one,
  );
  const message = 'not played, since balance-is-reported did not pass';

  test.each([
    ['passed', passedSample({ cases: every({}), leftOut })],
    ['passed or not tried', passedSample({ cases: tried, leftOut })],
    ['not played', sample({ cases: every({ verdict: 'inconclusive', message }), leftOut })],
  ])(
    'prints a run of which every case is %s on two pages, and an annex of at most four, of 100 KiB',
    async (_, result) => {
      expect(Buffer.byteLength(htmlReport(result))).toBeLessThanOrEqual(100 * 1024);
      await opened(result, { media: 'print' }, async (page) => {
        const pages = async () => {
          const pdf = await page.pdf({ format: 'A4' });
          return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length;
        };
        expect(await pages()).toBeLessThanOrEqual(6);
        await page.evaluate('document.querySelector(".annex").remove()');
        expect(await pages()).toBe(2);
      });
    },
  );
});

/** Reads XML in the browser: the counts that a suite says, and those that it has. */
const readSuites = `(text) => {
  const read = new DOMParser().parseFromString(text, 'application/xml');
  const fault = read.querySelector('parsererror');
  if (fault !== null) return fault.textContent;
  return [...read.querySelectorAll('testsuite')].map((suite) => ({
    said: ['tests', 'failures', 'errors', 'skipped'].map((name) => Number(suite.getAttribute(name))),
    found: ['testcase', 'failure', 'error', 'skipped'].map((name) => suite.querySelectorAll(name).length),
  }));
}`;

describe('the JUnit report, read by the XML parser of a browser', () => {
  test.each(samples)(
    'of a run that is %s is well-formed, and counts rightly',
    async (_, result) => {
      const page = await browser.newPage();
      const text = JSON.stringify(junitReport(result));
      const suites = await page.evaluate<{ said: number[]; found: number[] }[]>(
        `(${readSuites})(${text})`,
      );
      await page.close();
      expect(suites).toBeInstanceOf(Array);
      expect(suites.map(({ said }) => said)).toEqual(suites.map(({ found }) => found));
      const tests = suites.reduce((sum, { found }) => sum + (found[0] ?? 0), 0);
      expect(tests).toBe(Math.max(1, result.cases.length));
    },
  );
});
