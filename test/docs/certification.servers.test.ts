import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { MAIN } from '../cli/cli';
import { freePort } from '../servers/ports';
import { ROOT } from '../tidy/source';
import { blockOf } from './blocks';
import { startProgram } from './process';
import { userFolder } from './program';
import { cleanupAfterEach } from '../support/each-test';

const wallet = join(ROOT, 'test/proof/certify/wallets/plain-wallet.cjs');
const cleanup = cleanupAfterEach();

test('the first run of docs/certification.md passes against a wallet by the specification, and writes its report', async () => {
  const folder = await userFolder();
  const port = String(await freePort());
  const secret = 'at-least-16-bytes-of-secret';
  const players = ['ann', 'bob'].map((id) => ({ id, currency: 'EUR', real: 100_000 }));
  const operators = [{ id: 'my-casino', secrets: [secret] }];
  const facts = ['--players', JSON.stringify(players), '--operators', JSON.stringify(operators)];
  const running = startProgram(process.execPath, [wallet, '--port', port, ...facts]);
  cleanup.after(running, ({ stop }) => stop());
  await running.answers(`http://127.0.0.1:${port}/getBalance`);
  // The page asks, and plays every group: a person answers, and has a minute.
  const command = `${blockOf('docs/certification.md', 'first-run').code.trim()} --yes --only basics`
    .replace('npx rgs-wallet', `${process.execPath} ${MAIN}`)
    .replace('127.0.0.1:8080/wallet', `127.0.0.1:${port}`);
  const run = startProgram('sh', ['-c', command], { cwd: folder });
  cleanup.after(run, ({ stop }) => stop());
  expect([await run.exit, run.output()]).toEqual([0, expect.stringContaining('basics')]);
  expect(run.output()).not.toContain(secret);
  const report = await readFile(join(folder, 'certification.html'), 'utf8');
  expect(report).toContain('Wallet certification of my-casino');
  expect(report).not.toContain(secret);
});
