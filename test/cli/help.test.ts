import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { MAIN, runCli } from './cli';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

test('--version prints the version of the package', async () => {
  const printed = { code: 0, stdout: `${manifest.version}\n`, stderr: '' };
  expect(await runCli(['--version'])).toEqual(printed);
});

test.each<[string[], string[]]>([
  [
    ['--help'],
    [
      'serve [options]',
      'demo [options]',
      'migrate [options]',
      'sign [options]',
      'Exit codes: 0 done',
    ],
  ],
  [
    ['serve', '--help'],
    [
      '--port <n>',
      'env: PORT',
      '--host <host>',
      'env: HOST',
      '--base-path <path>',
      '--store <address>',
      'WALLET_STORE',
      '--accept-loss',
      '--decimals <n>',
      '--namespace <name>',
      '--wait-replicas <n>',
      'postgres://',
      '--schema <name>',
      '--migrate',
      '--no-session-timeouts',
      '--credentials <file>',
      'CREDENTIALS_FILE',
      '--players <file>',
      'PLAYERS_FILE',
      '--ledger <file>',
      'LEDGER_FILE',
      '--retention-days <n>',
      '--deadline-ms <n>',
      '--clock-tolerance <seconds>',
      '--grace-ms <n>',
      '--log-level <level>',
      'LOG_LEVEL',
      'OPERATOR_ID and OPERATOR_SECRET',
    ],
  ],
  [
    ['demo', '--help'],
    [
      '--store <address>',
      '--accept-loss',
      '--decimals <n>',
      '--namespace',
      '--schema',
      '--migrate',
    ],
  ],
  [
    ['migrate', '--help'],
    ['--store <address>', 'WALLET_STORE', '--schema <name>'],
  ],
  [
    ['sign', '--help'],
    [
      '--operation <name>',
      'assignPlayerFreerounds',
      '--body <json|file|->',
      '--param <name=value>',
      '--operator <id>',
      '--credentials <file>',
      '--timestamp <text>',
      '--explain',
      '--curl <url>',
      '--signature <text>',
      'OPERATOR_SECRET',
    ],
  ],
])('%j names every flag and variable on stdout', async (args, names) => {
  const { code, stdout, stderr } = await runCli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const text = stdout.replace(/\s+/g, ' ');
  for (const name of names) expect(text).toContain(name);
  expect(text).not.toContain('(default: [])');
});

test('a reader that stops reading early, as `head` does, is no error', async () => {
  const child = spawn(process.execPath, [MAIN, 'demo'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString('utf8');
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
