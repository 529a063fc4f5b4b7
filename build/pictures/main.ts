// Draws the pictures of the operations page in the documentation, from a wallet with trouble in it: npm run pictures
// They are made anew from the pages as they are, so that none shows what is not there any more.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { createOperationsHandler } from '../../lib/operator/operations';
import { findChromium } from '../../test/servers/chromium/binary';
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
      const page = await browser.newPage({
        viewport: { width: 1060, height },
        colorScheme: 'light',
      });
      const reply = await page.goto(origin + path);
      if (reply?.status() !== 200) throw new Error(`${path}: ${reply?.status()}`);
      const file = join(folder, `${name}.jpg`);
      const picture = await page.screenshot({ type: 'jpeg', quality: 64 });
      if (picture.length > mostBytes)
        throw new Error(`${name}: ${picture.length} bytes are too many`);
      writeFileSync(file, picture);
      process.stdout.write(`${name}.jpg: ${statSync(file).size} bytes\n`);
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
}

void main();
