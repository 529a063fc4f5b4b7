import { delimiter, dirname } from 'node:path';

import { expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import { findChromium } from '../servers/chromium/binary';
import { freePort } from '../servers/ports';
import { temporaryFolder } from '../servers/reaper';
import { packInto } from '../tidy/pack';
import { blockOf } from './blocks';
import { type Running, runProgram, startProgram } from './process';
import { withReplaced } from './program';
import { cleanupAfterEach } from '../support/each-test';

const page = 'docs/sandbox.md';
const cleanup = cleanupAfterEach();
test('"Your game" of docs/sandbox.md, typed into an empty folder with the packed file, ends in a game that is played', async () => {
  const folder = await temporaryFolder('own-game');
  const { tarball } = await packInto(await temporaryFolder('packed'));
  const [game, rgs] = [String(await freePort()), String(await freePort())];
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  };
  const install = blockOf(page, 'own-game-install').code.replace('rgs-wallet-kit ', `${tarball} `);
  await runProgram('sh', ['-ec', install], { cwd: folder, env });

  /** Starts lines of shell, of which the last one stays. */
  const start = (name: string, from: string, to: string, port: string): Running => {
    const code = withReplaced(blockOf(page, name).code, { [from]: to });
    // A signal to a shell, or to npx, does not reach what it runs.
    const lines = code
      .replace('npx rgs-wallet', 'exec node_modules/.bin/rgs-wallet')
      .replace('node provider', 'exec node provider');
    const running = startProgram('sh', ['-ec', lines], {
      cwd: folder,
      env: { ...env, PORT: port },
    });
    return cleanup.after(running);
  };
  await start('own-game', '8090', rgs, game).answers(`http://127.0.0.1:${game}/game`);
  await start('own-game-sandbox', '8082', game, rgs).answers(`http://127.0.0.1:${rgs}/`);

  const executablePath = await findChromium();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  cleanup.after(browser);
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${rgs}/`);
  await tab.click('text=Launch as ann');
  await tab.click('[role=status] a');
  await tab.click('text=Spin 1.00 EUR');
  await tab.waitForFunction("document.querySelector('pre').textContent !== ''");
  expect(JSON.parse((await tab.textContent('pre')) ?? '')).toEqual({
    reels: expect.any(Array),
    winAmount: expect.any(String),
    balance: expect.any(String),
  });
});
