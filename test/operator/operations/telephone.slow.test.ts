import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

import { createOperationsHandler, type OperationsOptions } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  anna,
  bert,
  credit,
  debit,
  RoundPlay,
} from '../../../lib/proof/contracts/repairs/round-play';
import { anotherRound } from '../../../lib/proof/contracts/case';
import { Cleanup } from '../../servers/cleanup';
import { findChromium } from '../../servers/chromium/binary';
import { maria, operatorId } from './fixture';
import { day, dayOfMoney } from './money/hostile-day';

const [width, height] = [390, 844];
const timeoutMs = 60_000;
const cleanup = new Cleanup();
let browser: Browser;

beforeAll(async () => {
  const executablePath = await findChromium();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: timeoutMs });
});

afterEach(() => cleanup.run());

afterAll(() => browser.close());

/** The first page, on a telephone without JavaScript. */
async function telephone(options: Omit<OperationsOptions, 'authorize'>): Promise<Page> {
  const server = createServer(
    createOperationsHandler({ ...options, authorize: () => maria }).handle,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.after(server, () => {
    server.closeAllConnections();
    server.close();
  });
  const page = await browser.newPage({
    javaScriptEnabled: false,
    viewport: { width, height },
    hasTouch: true,
  });
  cleanup.after(page);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return page;
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return { ...box, bottom: box.y + box.height };
}

async function isOnFirstScreen(part: Locator): Promise<boolean> {
  return (await boxOf(part)).bottom <= height;
}

const reason =
  'The bank confirms the source of the funds, and the player sent the papers on 12 May.';

test('where is my win, and who unblocked this player: both answers are on the first screen of the player, and nothing lies over another line', async () => {
  const store = createMemoryStore({ history: true });
  const play = await RoundPlay.open({ store, players: store.players }, 500_000n);
  await play.call(debit('d', 40n, true));
  await play.call(credit('usd', 5n, 'USD'));
  for (let at = 0; at < 25; at++) {
    const other = play.other(anotherRound(play.round));
    await other.call(debit('d', 1n, true), { type: 'end', hash: 'e' });
  }
  await store.players.setBlocked(play.round, true, { by: anna, reason });
  await store.players.setBlocked(play.round, false, { by: bert, reason });
  const page = await telephone({ store, operators: [play.round.operatorId] });

  await page.fill('input[name=q]', play.round.playerId);
  await page.press('input[name=q]', 'Enter');
  const win = page.locator('.state');
  expect(await win.textContent()).toContain('0.0005 USD in ');
  expect(await isOnFirstScreen(win)).toBe(true);
  const unblocked = page.locator('.tile:has-text("unblocked by bert")');
  expect(await isOnFirstScreen(unblocked)).toBe(true);

  await page.click('text=Changes by people');
  const why = page.locator('td.says', { hasText: reason }).first();
  expect((await boxOf(why)).width).toBeGreaterThan(width * 0.75);
  await page.goBack();

  await win.locator('a').click();
  expect(await isOnFirstScreen(page.locator('.state[role=status]'))).toBe(true);
  const texts = await page.locator('.lanes .bal > span').all();
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    const [inner, outer] = [await boxOf(text), await boxOf(text.locator('..'))];
    expect(inner.y).toBeGreaterThanOrEqual(outer.y);
    expect(inner.bottom).toBeLessThanOrEqual(outer.bottom);
  }
});

test('does the day agree: the answer is on the first screen of Money', async () => {
  const page = await telephone({ ...(await dayOfMoney()), operators: [operatorId] });
  await page.click('nav >> text=Money');
  await page.click(`a[href*="day=${day}"]`);
  const verdict = page.locator('.state').first();
  expect(await verdict.textContent()).toContain('The day differs from the RGS: here');
  expect(await isOnFirstScreen(verdict)).toBe(true);
});

test('what is touched is 32 px high or more: choices, buttons, fields, the navigation and what unfolds', async () => {
  const page = await telephone({ ...(await dayOfMoney()), operators: [operatorId] });
  const touched = 'nav a, .chips a, .btn, button, input:not([type=hidden]), select, summary';
  for (const path of ['./', 'waiting', 'money', 'changes', 'player?player=ann']) {
    await page.goto(new URL(path, page.url()).href);
    const found = await page.locator(touched).all();
    const boxes = await Promise.all(
      found.map(async (one) => [await one.innerText(), (await boxOf(one)).height] as const),
    );
    expect(boxes.length).toBeGreaterThan(5);
    expect(boxes.filter(([, high]) => high < 32)).toEqual([]);
  }
});
