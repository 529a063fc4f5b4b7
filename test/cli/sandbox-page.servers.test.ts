import { expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import { findChromium } from '../servers/chromium/binary';
import { startSandbox } from './sandbox-rig';
import { cleanupAfterEach } from '../support/each-test';

const cleanup = cleanupAfterEach();
test("a fresh page begins with buttons that launch the command's players and play scenarios, and a player can play from it", async () => {
  const sandbox = cleanup.after(await startSandbox());
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox'],
  });
  cleanup.after(browser);
  const page = await browser.newPage();
  await page.goto(sandbox.url);
  expect(await page.locator('h2').allTextContents()).toEqual([
    'Launch a game',
    'The latest calls',
    'Scenarios',
    'More',
  ]);
  for (const name of ['Launch as ann', 'Launch as bob', 'Play spin', 'Play storm']) {
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1);
  }
  await page.click('text=Launch as bob');
  await page.goto((await page.getAttribute('[role=status] a', 'href')) ?? '');
  await page.click('text=Spin');
  expect(await page.textContent('main')).toContain('bob, your balance is');
  await page.goto(sandbox.url);
  expect(await page.locator('section[aria-labelledby=rounds] tbody tr').count()).toBe(1);
  expect(await page.textContent('main .state')).toContain('The three books agree1 round');
});
