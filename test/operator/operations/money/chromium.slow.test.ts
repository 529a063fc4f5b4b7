import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

import { createOperationsHandler } from '../../../../lib/operator/operations';
import { findChromium } from '../../../servers/chromium/binary';
import { maria, operatorId } from '../fixture';
import { day, dayOfMoney, paths } from './hostile-day';

const timeoutMs = 60_000;

let server: Server;
let browser: Browser;
let origin = '';

beforeAll(async () => {
  const { store, clock } = await dayOfMoney();
  const operators = [operatorId];
  const { handle } = createOperationsHandler({ store, clock, operators, authorize: () => maria });
  server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = await findChromium();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: timeoutMs });
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function open<T>(
  options: Parameters<Browser['newContext']>[0],
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeoutMs);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** The values of rows on a narrow screen that stand beside one another in more than two pieces, such as an amount and its unit. */
function inPieces(): string[] {
  interface Cell {
    readonly childNodes: ArrayLike<{ readonly textContent: string }>;
    readonly textContent: string;
  }
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): ArrayLike<Cell> };
    getComputedStyle: (cell: Cell) => { readonly display: string };
  };
  return Array.from(document.querySelectorAll('.stack td'))
    .filter((cell) => getComputedStyle(cell).display === 'flex' && cell.childNodes.length > 2)
    .map(({ textContent }) => textContent);
}

/** The numbers of rows on a narrow screen that do not end where their cell ends, or are below the name of their column. */
function uneven(width: number): string[] {
  interface Cell {
    readonly lastChild: object | null;
    readonly textContent: string;
    getBoundingClientRect(): { readonly right: number; readonly top: number };
  }
  const { document, getComputedStyle } = globalThis as unknown as {
    document: {
      querySelectorAll(selector: string): ArrayLike<Cell>;
      createRange(): Pick<Cell, 'getBoundingClientRect'> & { selectNode(node: object): void };
    };
    getComputedStyle: (cell: Cell) => { readonly display: string };
  };
  const line = 18;
  return Array.from(document.querySelectorAll('.stack td.n'))
    .filter((cell) => getComputedStyle(cell).display === 'flex')
    .filter((cell) => {
      const range = document.createRange();
      range.selectNode(cell.lastChild ?? {});
      const [own, outer] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
      const isBelow = width > 320 && own.top > outer.top + line;
      return isBelow || Math.abs(own.right - outer.right) > 1;
    })
    .map(({ textContent }) => textContent);
}

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [320, 'dark'],
] as const)(
  'at %d px in %s colours an audit finds nothing on the pages of a day, nothing is beside the screen, no value falls into pieces, and numbers stand below one another',
  async (width, colorScheme) => {
    const options = { colorScheme, bypassCSP: true, viewport: { width, height: 800 } };
    await open(options, async (page) => {
      await page.addInitScript({ content: axe.source });
      for (const path of paths) {
        await page.goto(origin + path);
        for (const summary of await page.locator('summary').all()) await summary.click();
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: typeof axe }).axe.run(),
        );
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
        const wide = await page.evaluate(() => {
          const { document } = globalThis as unknown as {
            document: { documentElement: { scrollWidth: number } };
          };
          return document.documentElement.scrollWidth;
        });
        const pieces = await page.evaluate(inPieces);
        const crooked = await page.evaluate(uneven, width);
        const wanted = { path, found: [], wide: width, pieces: [], crooked: [] };
        expect({ path, found, wide, pieces, crooked }).toEqual(wanted);
      }
    });
  },
);

test('without JavaScript the page is one request, refuses nothing of itself, and says an hour that is pointed at', async () => {
  await open(
    { javaScriptEnabled: false, viewport: { width: 1280, height: 1000 } },
    async (page) => {
      const problems: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${origin}/money?day=${day}`);
      expect(requests).toEqual([`${origin}/money?day=${day}`]);
      expect(await page.locator('img, script').count()).toBe(0);
      const said = page.locator('.col text').nth(20);
      expect(await said.isVisible()).toBe(false);
      await page.locator('.col rect').nth(20).hover();
      expect(await said.isVisible()).toBe(true);
      await page.click('text=SEK');
      expect(await page.textContent('h1')).toBe('Money of Monday, 23 November 2026');
      await page.click('text=24 Nov');
      expect(await page.textContent('h1')).toBe('Money of Tuesday, 24 November 2026');
      expect(problems).toEqual([]);
    },
  );
});
