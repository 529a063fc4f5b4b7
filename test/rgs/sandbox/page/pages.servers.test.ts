import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

import { createPageHandler } from '../../../../lib/rgs/sandbox/page/handler';
import { findChromium } from '../../../servers/chromium/binary';
import { FixedSource, hostile } from './fixture';
import { listen, stopServer } from '../../../network/listening';

const source = new FixedSource();
const paths = [
  '/',
  '/rounds',
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
  const port = await listen(server);
  origin = `http://127.0.0.1:${port}`;
  browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser.close();
  await stopServer(server);
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
  test.each([
    ['light', 320],
    ['dark', 390],
    ['light', 1280],
    ['dark', 1280],
  ] as const)(
    'an audit finds nothing on any page, and nothing is beside the screen, in %s colours at %i pixels',
    async (scheme, width) => {
      await withPage(scheme, async (page, problems) => {
        await page.setViewportSize({ width, height: 800 });
        for (const path of paths) {
          await page.goto(origin + path);
          await page.evaluate(
            'for (const one of document.querySelectorAll("details")) one.open = true',
          );
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate(() =>
            (globalThis as unknown as { axe: typeof axe }).axe.run(),
          );
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
          const wide = await page.evaluate('document.documentElement.scrollWidth');
          expect({ path, found, wide }).toEqual({ path, found: [], wide: width });
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

  test('every section of the overview is there, and a round leads to its lanes and its steps', async () => {
    await withPage('light', async (page) => {
      await page.goto(origin);
      const headings = await page.locator('h2').allTextContents();
      expect(headings).toEqual([
        'Waits for a person',
        'Launch a game',
        'The books',
        'The latest calls',
        'Scenarios',
        'Due at the wallet',
        'Rounds',
        'More',
      ]);
      expect(await page.locator('summary').allTextContents()).toEqual(
        expect.arrayContaining(['Sessions (1)', 'Free plays (1)', 'Statistics (1)']),
      );
      expect(await page.textContent('body')).not.toContain('minor units');
      await page.locator('section[aria-labelledby=rounds] a').first().click();
      expect(await page.locator('.talk thead th').allTextContents()).toEqual([
        'time, UTC',
        'game',
        'RGS',
        'wallet',
      ]);
      expect(await page.locator('.talk .arrow').count()).toBe(8);
      expect(await page.locator('.talk .badge').allTextContents()).toEqual(
        expect.arrayContaining(['200', '503 in its place', 'reply cut']),
      );
      await page.click('summary');
      expect(await page.locator('section[aria-labelledby=timeline] tbody tr').count()).toBe(5);
    });
  });

  test('a message is shown as it was sent, and says what its amounts count (E4.1)', async () => {
    await withPage('light', async (page) => {
      await page.goto(`${origin}/call?n=2`);
      for (const part of ['request', 'reply']) {
        const text = await page.textContent(`section[aria-labelledby=${part}]`);
        expect(text).toContain('as sent, amounts in 1/100 of the currency');
      }
    });
  });

  test('what was not delivered is not called due', async () => {
    await withPage('light', async (page) => {
      await page.goto(`${origin}/round?id=${encodeURIComponent(hostile)}`);
      const cells = page.locator('section[aria-labelledby=undelivered] tbody td');
      expect((await cells.allTextContents())[2]).toBe('not delivered');
    });
  });

  test('on a narrow screen the lanes are a list that says who calls whom', async () => {
    await withPage('light', async (page) => {
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(`${origin}/round?id=${encodeURIComponent(hostile)}`);
      expect(await page.locator('.talk .way').first().isVisible()).toBe(true);
      expect(await page.locator('.talk .arrow').first().isVisible()).toBe(false);
    });
  });

  test('with ids of 256 characters in every field no page is wide, or over 100 KB', async () => {
    const many = new FixedSource(`${'r'.repeat(250)}<i>"&'`, 120);
    const other = createServer(createPageHandler(many));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await withPage('light', async (page) => {
      await page.setViewportSize({ width: 320, height: 800 });
      for (const path of [
        '/',
        '/rounds',
        '/wire',
        '/books',
        `/round?id=${encodeURIComponent(many.name)}`,
      ]) {
        const reply = await page.goto(url + path);
        const bytes = (await reply?.body())?.byteLength ?? 0;
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect({ path, wide, bytes: Math.max(bytes, 100_000) }).toEqual({
          path,
          wide: 320,
          bytes: 100_000,
        });
      }
    });
    await stopServer(other);
  });

  test('a fault that is switched on is seen, without a script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${origin}/faults`);
    await page.click('text=game → RGS');
    await page.click('[aria-label="Set: lose the reply"]');
    expect(await page.textContent('[role=status]')).toBe('Done.');
    expect(await page.textContent('.chips [aria-current]')).toBe('game → RGS');
    expect(await page.locator('section[aria-labelledby=set] tbody tr').allTextContents()).toEqual([
      'lose the replygame → RGSevery callnext 10',
    ]);
    await page.click('summary');
    await page.fill('details input[name=next]', '1.5');
    await page.click('details button');
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
      expect(await page.textContent('[role=status]')).toBe(
        'The game is ready: http://127.0.0.1:8090/game?token=abc',
      );
      expect(await page.getAttribute('[role=status] a', 'href')).toBe(
        'http://127.0.0.1:8090/game?token=abc',
      );
      await page.goto(`${origin}/?said=http://127.0.0.1:8091/game`);
      expect(await page.locator('[role=status]').first().locator('a').count()).toBe(0);
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
