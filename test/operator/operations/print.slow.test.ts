import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';

import { createOperationsHandler } from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { credit, debit, RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { Cleanup } from '../../servers/cleanup';
import { findChromium } from '../../servers/chromium/binary';
import { maria } from './fixture';

const timeoutMs = 60_000;
const cleanup = new Cleanup();
let browser: Browser;

beforeAll(async () => {
  const executablePath = await findChromium();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: timeoutMs });
});

afterEach(() => cleanup.run());

afterAll(() => browser.close());

/** The print view of a round with so many wins, of which one was refused and paid by people; and how many pages of A4 it is. */
async function printed(wins: number): Promise<{ page: Page; pages: number | undefined }> {
  const store = createMemoryStore({ history: true });
  const play = await RoundPlay.open({ store, players: store.players });
  await play.call(debit('d'.repeat(64), 40n, true));
  for (let at = 0; at < wins; at++) await play.call(credit(`${'c'.repeat(60)}-${at}`, 15n));
  await play.call(debit('e', 10_000n));
  await play.call(credit('refused', 25n));
  await play.repaired({ hash: 'refused' });
  const { operatorId, playerId, gameRound } = play.round;
  const options = { store, operators: [operatorId], authorize: () => maria };
  const server = createServer(createOperationsHandler(options).handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.after(server, () => {
    server.closeAllConnections();
    server.close();
  });
  const query = new URLSearchParams({ player: playerId, round: gameRound }).toString();
  const page = await browser.newPage({ javaScriptEnabled: false });
  cleanup.after(page);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/round?${query}`);
  await page.click('text=Print view');
  await page.waitForURL(/&print=1$/);
  const pdf = await page.pdf({ format: 'A4' });
  return { page, pages: pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length };
}

test('the print view of a usual round is one page of A4, with its repair, who took it, and nothing to press', async () => {
  const { page, pages } = await printed(3);
  expect(pages).toBe(1);
  expect(await page.locator('.lanes tbody:not(.gap)').count()).toBe(8);
  await page.emulateMedia({ media: 'print' });
  const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
  expect(text).toContain('The RGS confirms the win');
  expect(text).toContain('taken by Maria');
  expect(text).not.toContain('Back to the round');
  for (const part of ['form', 'button', '.btn', 'details']) {
    expect(await page.locator(part).filter({ visible: true }).count()).toBe(0);
  }
});

test('the print view of a long round has every call', async () => {
  const { page, pages } = await printed(100);
  expect(pages).toBeGreaterThan(1);
  expect(await page.locator('.lanes tbody:not(.gap)').count()).toBe(105);
});
