import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

import { createPageHandler } from '../../../../lib/rgs/sandbox/page/handler';
import { findChromium } from '../../../servers/chromium/binary';
import { FixedSource, hostile } from './fixture';

const source = new FixedSource();
const paths = [
  '/',
  '/wire',
  '/faults',
  '/books',
  `/round?id=${encodeURIComponent(hostile)}`,
  '/call?n=2',
  '/call?n=3',
  '/nowhere',
];

let server: Server;
let browser: Browser;
let origin = '';

beforeAll(async () => {
  server = createServer(createPageHandler(source));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function withPage<T>(
  colorScheme: 'light' | 'dark',
  work: (page: Page, problems: string[]) => Promise<T>,
): Promise<T> {
  // The policy of the page forbids every script, also that of the audit.
  const context = await browser.newContext({ colorScheme, bypassCSP: true });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404'))
        problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) problems.push(request.url());
    });
    return await work(page, problems);
  } finally {
    await context.close();
  }
}

describe('the pages of the sandbox in a browser', () => {
  test.each(['light', 'dark'] as const)(
    'an audit finds nothing on any page, in %s colours',
    async (scheme) => {
      await withPage(scheme, async (page, problems) => {
        for (const path of paths) {
          await page.goto(origin + path);
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate(() =>
            (globalThis as unknown as { axe: typeof axe }).axe.run(),
          );
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
          expect({ path, found }).toEqual({ path, found: [] });
        }
        expect(problems).toEqual([]);
      });
    },
  );

  test('an id with markup in it is shown as text', async () => {
    await withPage('light', async (page) => {
      for (const path of paths) {
        await page.goto(origin + path);
        expect(await page.locator('img').count()).toBe(0);
        expect(await page.title()).not.toBe('broken');
      }
      await page.goto(`${origin}/round?id=${encodeURIComponent(hostile)}`);
      expect(await page.textContent('h1')).toBe(`Round ${hostile}`);
    });
  });

  test('every section of the overview is there, and a round leads to its diagram and its steps', async () => {
    await withPage('light', async (page) => {
      await page.goto(origin);
      const headings = await page.locator('h2').allTextContents();
      expect(headings).toEqual([
        'Attention',
        'Launch',
        'Scenarios',
        'Sessions',
        'Notices of the operator',
        'Balances, in minor units',
        'Rounds, in minor units',
        'Due at the wallet, in minor units',
        'Free plays, in minor units',
        'Statistics',
      ]);
      await page.locator('section[aria-labelledby=rounds] a').first().click();
      expect(await page.locator('svg.sequence text').allTextContents()).toEqual(
        expect.arrayContaining(['game', 'rgs', 'wallet', '2 doTransactions (503)', 'no reply']),
      );
      expect(await page.locator('section[aria-labelledby=timeline] tbody tr').count()).toBe(5);
    });
  });

  test('a fault that is switched on is seen, without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/faults`);
    await page.selectOption('select[name=line]', 'rgs-wallet');
    await page.selectOption('select[name=kind]', 'loseReply');
    await page.fill('input[name=next]', '2');
    await page.click('form[action="/do/faults"] button');
    expect(await page.textContent('[role=status]')).toBe('Done.');
    expect(await page.locator('section[aria-labelledby=set] tbody tr').allTextContents()).toEqual([
      'rgs → walletevery calllose the replynext 20',
    ]);
    await page.fill('input[name=next]', '1.5');
    await page.click('form[action="/do/faults"] button');
    expect(await page.textContent('[role=status]')).toBe('next must be whole');
    await context.close();
  });

  test('the buttons of the clock, the janitor, a launch and a person do what they say', async () => {
    await withPage('light', async (page) => {
      source.actions.length = 0;
      await page.goto(`${origin}/faults`);
      await page.click('text=+24 hours');
      await page.click('text=Run the janitor now');
      await page.goto(origin);
      await page.click('text=Give up');
      await page.click('button:has-text("Launch as")');
      expect(await page.textContent('[role=status]')).toBe('http://127.0.0.1:8090/game?token=abc');
      expect(await page.getAttribute('[role=status] a', 'href')).toBe(
        'http://127.0.0.1:8090/game?token=abc',
      );
      await page.goto(`${origin}/?said=http://127.0.0.1:8091/game`);
      expect(await page.locator('[role=status] a').count()).toBe(0);
      expect(source.actions.map(({ path, body }) => [path, body])).toEqual([
        ['clock', { advanceMs: 86_400_000 }],
        ['janitor', {}],
        ['resolve', { round: hostile, how: 'giveUp' }],
        [
          'launch',
          { operatorId: 'casino', playerId: hostile, currency: 'EUR', gameCode: 'game-bells' },
        ],
      ]);
    });
  });

  test('calls are filtered by line, round and status', async () => {
    await withPage('light', async (page) => {
      await page.goto(`${origin}/wire?line=rgs-wallet&status=5`);
      expect(await page.locator('tbody tr').count()).toBe(1);
      await page.goto(`${origin}/wire?status=none`);
      expect(await page.locator('tbody tr').count()).toBe(1);
    });
  });

  test('a page may load nothing, run nothing and be framed by nobody', async () => {
    const { headers } = await fetch(origin);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });
});
