import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

import { createOperationsHandler } from '../../../../lib/operator/operations';
import { findChromium } from '../../../servers/chromium/binary';
import { hostile, maria, operatorId } from '../fixture';
import { countedStore, row } from './fixture';

const timeoutMs = 60_000;
const day = '2026-11-23';

let server: Server;
let browser: Browser;
let origin = '';

/** Every hour of a day in two currencies, with games of the longest names, and a quarter that is not whole. */
async function dayOfMoney(): Promise<Awaited<ReturnType<typeof countedStore>>> {
  const games = [hostile.padEnd(256, 'x'), 'b'.repeat(256), 'Book of Sands', 'Viking Vault'];
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const rows = hours.flatMap((hour) =>
    games.map((game, at) => {
      const time = `${day}T${String(hour).padStart(2, '0')}:15:00Z`;
      const bet = BigInt((hour + 1) * 1_000_000 * (at + 1));
      const sums = { games: BigInt(hour + 1), bet, win: (bet * BigInt(60 + at * 20)) / 100n };
      return row(time, 'start', sums, { game });
    }),
  );
  const cash = row(`${day}T08:00:00Z`, 'own', { cashIn: 9_000_000n, cashOut: 900n }, { game: '' });
  const krona = row(`${day}T08:00:00Z`, 'start', { games: 1n, bet: 10n }, { currency: 'SEK' });
  const quarter = Date.parse(`${day}T10:00:00Z`) / 900_000;
  const lost = {
    quarter,
    kind: 'round lost',
    playerId: 'p'.repeat(128),
    gameRound: hostile,
  } as const;
  const counted = await countedStore('2026-11-25T12:00:00Z', [...rows, cash, krona], {
    gaps: [lost],
  });
  const sums = { games: -1_000, bet: '-1000000.5', win: '4.5' };
  const byGame = games.map((game) => ({ game, ...sums, stated: sums }));
  const euro = { currency: 'EUR', word: 'differs', ...sums, stated: sums, midnight: sums, byGame };
  const found = { word: 'differs', reason: null, counting: 'UTC, by end, voids restated' };
  const rest = { endedAt: null, kinds: {}, rounds: [], leftOut: 0, currenciesLeftOut: 0 };
  await counted.store.reconciliations.save({
    operatorId,
    day,
    source: 'statistics',
    at: counted.clock.now(),
    text: JSON.stringify({ ...found, ...rest, cells: [euro] }),
  });
  return counted;
}

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

const paths = [
  `/money?day=${day}`,
  `/money?day=${day}&span=month&currency=SEK`,
  '/money?day=2026-11-25',
  '/money?day=2026-01-01',
];

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

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [320, 'dark'],
] as const)(
  'at %d px in %s colours an audit finds nothing on the page Money, and nothing is beside the screen',
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
        expect({ path, found, wide }).toEqual({ path, found: [], wide: width });
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
      const said = page.locator('.said').nth(20);
      expect(await said.isVisible()).toBe(false);
      await page.locator('.hit').nth(20).hover();
      expect(await said.isVisible()).toBe(true);
      await page.click('text=SEK');
      expect(await page.textContent('h1')).toBe('Money of Monday, 23 November 2026');
      await page.click('text=24 Nov');
      expect(await page.textContent('h1')).toBe('Money of Tuesday, 24 November 2026');
      expect(problems).toEqual([]);
    },
  );
});
