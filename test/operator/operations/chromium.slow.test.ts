import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import {
  createCallWatch,
  createOperationsHandler,
  type Person,
} from '../../../lib/operator/operations';
import type { AccountStore } from '../../../lib/operator/wallet';
import { findChromium } from '../../servers/chromium/binary';
import { hostile, operatorId, queryOf } from './fixture';
import { hostileStore, paths } from './hostile-pages';

const timeoutMs = 60_000;

const people: Readonly<Record<string, Person>> = {
  maria: { id: 'maria', name: 'Maria', may: ['look', 'block', 'propose', 'approve'] },
  noel: { id: 'noel', name: null, may: ['look'] },
  olga: { id: 'olga', name: 'Olga', may: ['look', 'approve'] },
  paul: { id: 'paul', name: 'Paul', may: ['look', 'approve'] },
};

let server: Server;
let browser: Browser;
let origin = '';
const calls = createCallWatch();
let store: AccountStore;

/** Who asks, by a cookie, as a platform's single sign-on would say. */
function personOf({ headers }: IncomingMessage): Person | null {
  const name = /\bwho=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '';
  return people[name] ?? null;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const operators = [operatorId];
    createOperationsHandler({ store, operators, calls, authorize: personOf }).handle(
      request,
      response,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox'],
    timeout: timeoutMs,
  });
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(async () => {
  calls.onOutcome({ status: 200, durationMs: 7 });
  calls.onOutcome({ status: 503, durationMs: 4000 });
  store = await hostileStore();
});

type ContextOptions = Parameters<Browser['newContext']>[0];

/** Does work as this person, in a new browser. */
async function as<T>(
  who: string | null,
  work: (page: Page, context: BrowserContext) => Promise<T>,
  options: ContextOptions = {},
): Promise<T> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeoutMs);
  try {
    if (who !== null) await context.addCookies([{ name: 'who', value: who, url: origin }]);
    return await work(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

async function balance(): Promise<unknown> {
  const found = await store.rounds.accounts({ operatorId, playerId: hostile });
  return found.kind === 'known' ? found.accounts?.[0]?.real : null;
}

function approve(page: Page): Promise<void> {
  return page.click('text=Approve and make the repair');
}

describe('the operations page in a browser', () => {
  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'an audit finds nothing on any page, in %s colours on a screen of %d px',
    async (colorScheme, width) => {
      const options = { colorScheme, bypassCSP: true, viewport: { width, height: 800 } };
      await as(
        'maria',
        async (page) => {
          await page.addInitScript({ content: axe.source });
          for (const path of paths) {
            await page.goto(origin + path);
            const { violations } = await page.evaluate(() =>
              (globalThis as unknown as { axe: typeof axe }).axe.run(),
            );
            const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
            expect({ path, found }).toEqual({ path, found: [] });
          }
        },
        options,
      );
    },
  );

  test('no page is wider than a screen of 320 px', async () => {
    const options = { viewport: { width: 320, height: 640 } };
    await as(
      'maria',
      async (page) => {
        for (const path of paths) {
          await page.goto(origin + path);
          const width = await page.evaluate(() => {
            const { document } = globalThis as unknown as {
              document: { documentElement: { scrollWidth: number } };
            };
            return document.documentElement.scrollWidth;
          });
          expect({ path, width }).toEqual({ path, width: 320 });
        }
      },
      options,
    );
  });

  test('markup in an id is shown as text, and a page is one request without a refused part', async () => {
    await as('maria', async (page) => {
      const problems: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => {
        if (!/status of 40[04]/.test(message.text())) problems.push(message.text());
      });
      page.on('request', (request) => requests.push(request.url()));
      for (const path of paths) {
        requests.length = 0;
        await page.goto(origin + path);
        expect(await page.locator('img, script').count()).toBe(0);
        expect(await page.title()).not.toBe('broken');
        expect(requests).toEqual([`${origin}${path}`]);
      }
      await page.goto(`${origin}/round?${queryOf({ player: hostile, round: hostile })}`);
      expect(await page.textContent('h1')).toBe(`Round ${hostile}`);
      expect(problems).toEqual([]);
    });
  });

  test('works with JavaScript off: from the list to the round, to the player, and a form', async () => {
    await as(
      'maria',
      async (page) => {
        await page.goto(origin);
        expect(await page.locator('.tile > b').allTextContents()).toEqual([
          '2',
          '5.00 EUR',
          'nothing',
          'nothing',
          '1',
        ]);
        await page.click('text=Rounds without an end');
        expect(await page.locator('.rows bdi[title]').first().getAttribute('title')).toBe(
          `${hostile} open`,
        );
        await page.goBack();
        await page.locator('.rows a[href^="round?"]').first().click();
        expect(await page.textContent('h1')).toBe(`Round ${hostile}`);
        await page.click('summary');
        expect(await page.textContent('pre')).toContain('"CREDITREFUSED"');
        await page.click('.crumb a[href^="player?"]');
        expect(await page.textContent('h1')).toBe(`Player ${hostile}`);
        await page.fill('form[action=block] input[name=reason]', 'a chargeback <b>');
        await page.click('text=Block: refuse debits');
        expect(await page.textContent('.notice')).toBe('Done: the player is blocked.');
        expect(await page.textContent('.state')).toContain('Maria (maria): a chargeback <b>');
        await page.fill('form:has-text("Change the block") input[name=until]', '2126-12-24T18:00');
        await page.fill('form:has-text("Change the block") input[name=reason]', 'until christmas');
        await page.click('text=Change the block');
        expect(await page.textContent('.state')).toContain('until 24 Dec 2126, 18:00:00');
        await page.click('summary:has-text("Set a limit")');
        await page.selectOption('form[action=limit] select[name=window]', 'week');
        await page.fill('form[action=limit] input[name=amount]', '50.00');
        await page.fill('form[action=limit] input[name=reason]', 'asked for by chat');
        await page.click('text=Set the limit');
        expect(await page.textContent('.notice')).toBe('Done: the limit counts from now on.');
        await page.click('summary:has-text("Lift a limit")');
        await page.fill('form[action=lift-limit] input[name=reason]', 'asked for by chat');
        await page.click('text=Lift the limit');
        expect(await page.textContent('.notice')).toBe('Done: the limit is lifted.');
        await page.fill('input[name=from]', '2026-01-01');
        await page.selectOption('select[name=state]', 'crashed');
        await page.click('form[action=player] button');
        expect(page.url()).toMatch(/[?&]from=2026-01-01&to=&game=&state=crashed&min=$/);
        expect(await page.inputValue('input[name=from]')).toBe('2026-01-01');
        const rounds = page.locator('[aria-label^=Rounds] tbody tr');
        expect(await rounds.locator('bdi').first().getAttribute('title')).toBe('r'.repeat(128));
        await page.click('text=All rounds');
        expect(await rounds.count()).toBe(4);
        await page.click('.crumb a');
        await page.fill('input[name=player]', hostile);
        await page.click('main button');
        expect(await page.textContent('h1')).toBe(`Player ${hostile}`);
        await page.fill('input[name=q]', `${hostile} ${'r'.repeat(128)}`);
        await page.press('input[name=q]', 'Enter');
        expect(await page.textContent('h1')).toBe(`Round ${'r'.repeat(128)}`);
        await page.click('.who a');
        await page.selectOption('select[name=zone]', 'Asia/Tokyo');
        await page.click('text=Keep');
        expect(await page.textContent('.who')).toContain('Asia/Tokyo');
        expect(await page.textContent('footer')).toContain('Asia/Tokyo');
      },
      { javaScriptEnabled: false },
    );
    const found = await store.players.readPlayer({ operatorId, playerId: hostile });
    expect(found).toMatchObject({ kind: 'known', blocked: true });
    const left = await store.players.limits?.({ operatorId, playerId: hostile });
    expect(left).toMatchObject({
      limits: [{ kind: 'loss', window: 'month' }],
      changes: [{ kind: 'stake', amount: null, by: { id: 'maria' } }, { kind: 'stake' }, {}],
    });
  });

  test('two people at once each see what they may, and each what the other did', async () => {
    const target = `${origin}/player?${queryOf({ player: hostile })}`;
    await as('maria', async (ofMaria) => {
      await as('noel', async (ofNoel) => {
        await Promise.all([ofMaria.goto(target), ofNoel.goto(target)]);
        expect(await ofMaria.textContent('header')).toContain('Maria');
        expect(await ofNoel.textContent('header')).toContain('noel');
        expect(await ofNoel.locator('form[method=post]').count()).toBe(0);
        await ofMaria.fill('form[action=block] input[name=reason]', 'a chargeback');
        await ofMaria.click('text=Block: refuse debits');
        await ofNoel.reload();
        expect(await ofNoel.textContent('.state')).toContain(
          'Debits are refused: the player is blocked',
        );
      });
    });
    await as(null, async (page) => {
      expect((await page.goto(target))?.status()).toBe(403);
      expect(await page.content()).not.toContain('EUR');
    });
  });

  test('a repair is proposed by one person and approved by two at once: it has one effect', async () => {
    const target = `${origin}/round?${queryOf({ player: hostile, round: hostile })}`;
    await as('maria', async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(target);
      await page.fill('textarea', 'The player showed a picture of it.');
      await page.click('button:text("Propose")');
      expect(await page.textContent('.notice')).toContain('Nothing has moved');
      await page.click('text=Approve and make the repair');
      expect(await page.textContent('[role=alert]')).toContain('Another person');
    });
    expect(await balance()).toBe(1_000_000n);
    await as('olga', async (ofOlga) => {
      await as('paul', async (ofPaul) => {
        for (const page of [ofOlga, ofPaul]) {
          await page.goto(`${origin}/repairs`);
          await page.click(`.rows a:has-text("onerror")[href^="round?"]`);
        }
        await Promise.all([ofOlga, ofPaul].map(approve));
        for (const page of [ofOlga, ofPaul]) {
          expect(await page.textContent('.notice')).toMatch(/repair (?:is|was) made/);
          expect(await page.textContent('.state')).toContain('Closed');
        }
      });
    });
    expect(await balance()).toBe(1_025_000n);
  });

  test.each(['localhost', '127.0.0.1'])(
    'a form of another site on %s is refused, though the browser sends the cookie with it',
    async (host) => {
      const evil = createServer((_, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(
          `<form method="post" action="${origin}/block"><input name="player" value="&lt;img src=x onerror=&quot;document.title='broken'&quot;&gt;"><input name="blocked" value="true"><button>Win</button></form>`,
        );
      });
      await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
      try {
        await as('maria', async (page) => {
          const cookies: (string | undefined)[] = [];
          page.on('request', (request) => {
            if (request.url().endsWith('/block')) cookies.push(request.headers()['origin']);
          });
          await page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`);
          const answered = page.waitForResponse((response) => response.url().endsWith('/block'));
          await page.click('button');
          expect((await answered).status()).toBe(403);
          expect(cookies).toHaveLength(1);
        });
      } finally {
        evil.closeAllConnections();
        await new Promise((resolve) => evil.close(resolve));
      }
      const found = await store.players.readPlayer({ operatorId, playerId: hostile });
      expect(found).toMatchObject({ kind: 'known', blocked: false });
    },
  );
});
