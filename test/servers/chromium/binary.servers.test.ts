import { expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import { findChromium } from './binary';

test('a Chromium is found or fetched, and draws a page', async () => {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>one page</h1>');
    expect(await page.textContent('h1')).toBe('one page');
    expect((await page.screenshot()).byteLength).toBeGreaterThan(1000);
  } finally {
    await browser.close();
  }
});
