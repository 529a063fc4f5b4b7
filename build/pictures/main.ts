// Draws the pictures of the documentation: npm run pictures
// Those of the operations page are of a wallet with trouble in it, that of a report is of a wallet that pays a win twice.
// They are made anew from the pages as they are, so that none shows what is not there any more.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

import { createOperationsHandler } from '../../lib/operator/operations';
import { findChromium } from '../../test/servers/chromium/binary';
import { failedReport, leavesCase } from './report';
import { operatorId, troubledWallet } from './wallet';

const folder = join(__dirname, '../../docs/operations/pictures');

/** Pages by the names of their pictures; each is what fits on a screen of 1,060 px. */
const pages = {
  overview: ['./', 1000],
  round: ['round?player=p-204173&round=r-8f31c2d7', 900],
  money: ['money?day=2026-11-23', 1000],
  changes: ['changes', 620],
} as const;

/** A larger picture makes a page of the documentation slow. */
const mostBytes = 100 * 1024;

function shownAs(browser: Browser, width: number, height: number): Promise<Page> {
  return browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
}

async function draw(page: Page, file: string): Promise<void> {
  const picture = await page.screenshot({ type: 'jpeg', quality: 64 });
  if (picture.length > mostBytes) throw new Error(`${file}: ${picture.length} bytes are too many`);
  writeFileSync(file, picture);
  process.stdout.write(`${basename(file)}: ${picture.length} bytes\n`);
  await page.close();
}

async function main(): Promise<void> {
  const { store, clock, calls } = await troubledWallet();
  const person = {
    id: 'maria',
    name: 'Maria Lind',
    may: ['look', 'propose', 'approve', 'block', 'export'],
  } as const;
  const { handle } = createOperationsHandler({
    store,
    operators: [operatorId],
    authorize: () => person,
    calls,
    clock,
    timeZone: 'Europe/Malta',
    booksZone: 'Europe/Malta',
  });
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const executablePath = await findChromium();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [name, [path, height]] of Object.entries(pages)) {
      const page = await shownAs(browser, 1060, height);
      const reply = await page.goto(origin + path);
      if (reply?.status() !== 200) throw new Error(`${path}: ${reply?.status()}`);
      await draw(page, join(folder, `${name}.jpg`));
    }
    const page = await shownAs(browser, 880, 1240);
    const { html, caseId } = await failedReport();
    await page.setContent(html);
    await page.evaluate(leavesCase(caseId));
    await draw(page, join(folder, '../../certification-report.jpg'));
  } finally {
    await browser.close();
    server.close();
  }
}

void main();
