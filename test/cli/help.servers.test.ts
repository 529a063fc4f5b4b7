import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { MAIN, runCli, start } from './cli';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/** Flags of every call of the RGS. */
const everyCall = [
  '--url <address>',
  'RGS_URL',
  '--allow-http',
  '--timeout-ms <n>',
  '--attempts <n>',
  '--operator <id>',
  '--credentials <file>',
  'OPERATOR_SECRET',
];

test('--version prints the version of the package', async () => {
  const printed = { code: 0, stdout: `${manifest.version}\n`, stderr: '' };
  expect(await runCli(['--version'])).toEqual(printed);
});

test.each<[string[], string[]]>([
  [
    ['--help'],
    [
      'serve [options]',
      'sandbox [options]',
      'demo [options]',
      'init [options]',
      'migrate [options]',
      'money-functions [options]',
      'player',
      'books [options]',
      'sign [options]',
      'call',
      'Exit codes: 0 done',
    ],
  ],
  [
    ['sandbox', '--help'],
    [
      '--port <n>',
      'default: 8090',
      '--wallet <url>',
      'WALLET_URL',
      '--provider <url>',
      'PROVIDER_URL',
      '--game <code>',
      'GAME_CODE',
      '--players <file>',
      '--settings <file>',
      'SETTINGS_FILE',
      '--data <file>',
      'SANDBOX_DATA',
      '--seed <n>',
      '--multiplier <currency=factor>',
      '--script <file>',
      '--exit',
      '--verbose',
      'OPERATOR_SECRET',
      'PROVIDER_SECRET',
      'A script is JSON',
    ],
  ],
  [
    ['sandbox', 'play', '--help'],
    ['--list', '--wallet <url>', '--seed <n>', 'lost-win', 'storm'],
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
      '--init',
      'WALLET_INIT',
      'postgres://',
      '--schema <name>',
      '--migrate',
      '--own-tables',
      '--no-session-timeouts',
      '--credentials <file>',
      'CREDENTIALS_FILE',
      '--players <file>',
      'PLAYERS_FILE',
      '--ledger <file>',
      'LEDGER_FILE',
      '--tracer <file>',
      'TRACER_FILE',
      '--history',
      'WALLET_HISTORY',
      '--limits-from <what>',
      'WALLET_LIMITS_FROM',
      '--retention-days <n>',
      '--deadline-ms <n>',
      '--clock-tolerance <seconds>',
      '--max-in-flight <n>',
      'MAX_IN_FLIGHT',
      '--shed <answer>',
      'SHED',
      '--turn-budget-ms <n>',
      'TURN_BUDGET_MS',
      '--turn-spike-ms <n>',
      'TURN_SPIKE_MS',
      '--turn-window-ms <n>',
      'TURN_WINDOW_MS',
      '--credit-to <balance>',
      'CREDIT_TO',
      '--use-bonus-first <yes>',
      'USE_BONUS_FIRST',
      '--errors <file>',
      'ERRORS_FILE',
      '--log-transactions',
      'LOG_TRANSACTIONS',
      'NODE_ENV=production',
      '--grace-ms <n>',
      '--log-level <level>',
      'LOG_LEVEL',
      'OPERATOR_ID and OPERATOR_SECRET',
      '--admin-port <n>',
      '--admin-host <host>',
      '--admin-users <file>',
      '--admin-proxy-header <name>',
      '--admin-proxy-secret-file <file>',
      '--admin-open',
      '--admin-origin <origin>',
      '--admin-sign-out <address>',
      '--open-hours <n>',
      'OPEN_HOURS',
      '--books-zone <name>',
      'BOOKS_ZONE',
      '--archive-check <file>',
      '--events <name>',
      '--events-limit <n>',
      'EVENTS_LIMIT',
    ],
  ],
  [
    ['admin-user', 'add', '--help'],
    ['--file <file>', '--id <id>', '--name <name>', '--may <rights>', '--replace', '--no-password'],
  ],
  [
    ['admin-user', 'remove', '--help'],
    ['--file <file>', '--id <id>', '--by <name>', '--reason <text>'],
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
      '--own-tables',
    ],
  ],
  [
    ['init', '--help'],
    ['--store <address>', 'WALLET_STORE', '--namespace <name>', '--decimals <n>', '--accept-loss'],
  ],
  [
    ['migrate', '--help'],
    [
      '--store <address>',
      'WALLET_STORE',
      '--schema <name>',
      '--unit <unit>',
      '--retry-for <seconds>',
    ],
  ],
  [
    ['player', '--help'],
    [
      'open [options]',
      'show [options]',
      'deposit [options]',
      'withdraw [options]',
      'correct [options]',
      'block [options]',
      'unblock [options]',
      'cash [options]',
      'Exit codes: 0 done; 1 refused',
    ],
  ],
  [
    ['player', 'correct', '--help'],
    [
      '--operator <id>',
      'OPERATOR_ID',
      '--player <id>',
      '--reference <id>',
      '--by <name>',
      '--reason <text>',
    ],
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
  [
    ['call', '--help'],
    [
      'assign-freerounds [options]',
      'stats [options]',
      'game-configuration [options]',
      'game-list [options]',
      'Exit codes: 0 done; 1 the service refused',
    ],
  ],
  [
    ['call', 'assign-freerounds', '--help'],
    [
      '--player-id <id>',
      '--game-code <code>',
      '--serial <id>',
      '--currency <code>',
      '--stake <amount>',
      '--count <n>',
      '--expires <date-time>',
      '--body <file|->',
      ...everyCall,
    ],
  ],
  [
    ['call', 'stats', '--help'],
    [
      '--from <day>',
      '--to <day>',
      '--group-by <key>',
      '--filter <name=value>',
      '--player-id <id>',
      '--show-totals',
      '--body <file|->',
      '--json',
      '--table',
      ...everyCall,
    ],
  ],
  [
    ['call', 'game-configuration', '--help'],
    ['--game-code <code>', '--currency <code>', ...everyCall],
  ],
  [['call', 'game-list', '--help'], everyCall],
])('%j names every flag and variable on stdout', async (args, names) => {
  const { code, stdout, stderr } = await runCli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const text = stdout.replace(/\s+/g, ' ');
  for (const name of names) expect(text).toContain(name);
  expect(text).not.toContain('(default: [])');
});

// Linux alone has a file that is always full.
test.each(existsSync('/dev/full') ? ['/dev/full'] : [])(
  'output that cannot be written to %s is one line, with exit code 2',
  async (file) => {
    const full = openSync(file, 'w');
    const child = start(['--help'], {}, MAIN, full);
    closeSync(full);
    let stderr = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      stderr += bytes.toString('utf8');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: stdout cannot be written: ENOSPC: no space left on device, write\n',
    });
  },
);

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
