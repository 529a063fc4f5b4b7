import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { freePort } from '../servers/ports';
import { temporaryFolder } from '../servers/reaper';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { built } from '../support/built';
import { type CliOptions, OPERATOR, runCli, SECRET, temporaryFile } from './cli';
import { listen } from '../network/listening';

const ROOT = join(__dirname, '../..');

/** What a command writes where it cannot work: this one line on stderr, and exit code 2. */
async function failureOf(args: readonly string[], options: CliOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, { env: OPERATOR, ...options });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).not.toContain(SECRET);
  expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  return stderr.slice('error: '.length, -1);
}

describe('a wrong flag is reported in one line, with exit code 2', () => {
  const hint = '(see rgs-wallet --help)';
  const ofServe = '(see rgs-wallet serve --help)';
  const number = 'It must be a whole number from';
  test.each<[string[], string]>([
    [[], `a command is missing ${hint}`],
    [['help', 'nope'], `help names no command that exists ${hint}`],
    [
      ['player', 'help', 'nope'],
      'help names no command that exists (see rgs-wallet player --help)',
    ],
    [['rounds', 'repair'], 'a command is missing (see rgs-wallet rounds repair --help)'],
    [
      ['events', 'lag', 'x'],
      "too many arguments for 'lag'. Expected 0 arguments but got 1. (see rgs-wallet events lag --help)",
    ],
    [['dance'], `unknown command 'dance' ${hint}`],
    [['play'], `unknown command 'play' (Did you mean player?) ${hint}`],
    [
      ['serve', 'now'],
      `too many arguments for 'serve'. Expected 0 arguments but got 1. ${ofServe}`,
    ],
    [['serve', '--prt', '1'], `unknown option '--prt' (Did you mean --port?) ${ofServe}`],
    [
      ['serve', '--port', '65536'],
      `option '--port <n>' argument '65536' is invalid. ${number} 0 to 65535. ${ofServe}`,
    ],
    [
      ['serve', '--decimals', '9'],
      `option '--decimals <n>' argument '9' is invalid. ${number} 0 to 8. ${ofServe}`,
    ],
    [
      ['serve', '--retention-days', '0'],
      `option '--retention-days <n>' argument '0' is invalid. ${number} 1 to 36500. ${ofServe}`,
    ],
    [
      ['serve', '--deadline-ms', '1.5'],
      `option '--deadline-ms <n>' argument '1.5' is invalid. ${number} 10 to 120000. ${ofServe}`,
    ],
    [
      ['serve', '--clock-tolerance', 'x'],
      `option '--clock-tolerance <seconds>' argument 'x' is invalid. ${number} 1 to 86400. ${ofServe}`,
    ],
    [
      ['serve', '--grace-ms', '-1'],
      `option '--grace-ms <n>' argument '-1' is invalid. ${number} 0 to 600000. ${ofServe}`,
    ],
    [
      ['serve', '--wait-replicas', 'all'],
      `option '--wait-replicas <n>' argument 'all' is invalid. ${number} 0 to 100. ${ofServe}`,
    ],
    [
      ['serve', '--log-level', 'loud'],
      `option '--log-level <level>' argument 'loud' is invalid. Allowed choices are trace, debug, info, warn, error, fatal, silent. ${ofServe}`,
    ],
    [
      ['serve', '--base-path', 'wallet/'],
      '--base-path must begin with a slash and not end with one, such as /wallet',
    ],
    [
      ['serve', '--store', 'mysql://u:pw@h'],
      '--store must be memory: or begin with postgres://, redis://, rediss://, redis+sentinel:// or redis+cluster://',
    ],
    [
      ['demo', '--store', 'memory'],
      '--store must be memory: or begin with postgres://, redis://, rediss://, redis+sentinel:// or redis+cluster://',
    ],
    [
      ['serve', '--store', 'redis://h', '--namespace', 'a b'],
      '--store: namespace must be letters, digits, -, _ and .',
    ],
    [['serve', '--namespace', 'a'], '--namespace is for a store in Redis'],
    [['serve', '--init'], '--init is for a store in Redis or PostgreSQL'],
    [['serve', '--accept-mixed'], '--accept-mixed is for a store in Redis or PostgreSQL'],
    [['serve', '--accept-older-data'], '--accept-older-data is for a store in Redis or PostgreSQL'],
    [
      ['serve', '--events', 'archive', '--events-limit', '0'],
      `option '--events-limit <n>' argument '0' is invalid. ${number} 1 to 1000000000. ${ofServe}`,
    ],
    [['serve', '--store', 'redis://h', '--events-limit', '10'], '--events-limit needs --events'],
    [
      ['serve', '--events', 'archive', '--events-limit', '10'],
      '--events-limit is for a store in Redis or PostgreSQL',
    ],
    [
      ['serve', '--admin-port', '0', '--open-hours', '1.5'],
      `option '--open-hours <n>' argument '1.5' is invalid. ${number} 1 to 1000000. ${ofServe}`,
    ],
    [
      ['serve', '--open-hours', '5'],
      '--open-hours is for the operations page: it needs --admin-port',
    ],
    [
      ['serve', '--admin-port', '0', '--books-zone', 'Mars/Base'],
      `option '--books-zone <name>' argument 'Mars/Base' is invalid. It must be a time zone, such as Europe/Malta. ${ofServe}`,
    ],
    [
      ['serve', '--books-zone', 'UTC'],
      '--books-zone is for the operations page: it needs --admin-port',
    ],
    [['init'], '--store must be a Redis address; for PostgreSQL use rgs-wallet migrate'],
    [
      ['init', '--store', 'postgres://h/d'],
      '--store must be a Redis address; for PostgreSQL use rgs-wallet migrate',
    ],
    [
      ['init', '--store', 'redis://h', '--namespace', 'a b'],
      '--store: namespace must be letters, digits, -, _ and .',
    ],
    [['demo', '--migrate'], '--migrate is for a store in PostgreSQL'],
    [
      ['demo', '--json', '--unit', '1/100', '--decimals', '1'],
      "--unit: unit '1/100' needs decimals of at least 2",
    ],
    [
      ['sandbox', 'play', 'spin', '--json', '--wallet', 'http://ann:hush@127.0.0.1:1'],
      '--wallet must not hold a user, a password, a query or a fragment',
    ],
    [['demo', '--store', 'redis://h', '--schema', 'a'], '--schema is for a store in PostgreSQL'],
    [
      ['serve', '--store', 'postgres://h/d', '--wait-replicas', '1'],
      '--wait-replicas is for a store in Redis',
    ],
    [
      ['serve', '--store', 'postgres://h/d', '--schema', 'a b'],
      '--store: schema must be lower-case letters, digits and _, begin with no digit, and not with pg_',
    ],
    [['migrate'], '--store must begin with postgres:// or postgresql://'],
    [['migrate', '--store', 'redis://h'], '--store must begin with postgres:// or postgresql://'],
    [
      ['serve', '--store', 'redis+sentinel://h:1'],
      '--store: redis+sentinel:// needs the name of the master as its path',
    ],
  ])('%j', async (args, line) => {
    expect(await failureOf(args)).toBe(line);
  });

  test('a wrong variable is named', async () => {
    const env = { ...OPERATOR, PORT: 'http' };
    expect(await failureOf(['serve'], { env })).toContain(
      "value 'http' from env 'PORT' is invalid",
    );
  });

  test.each(['OPEN_HOURS', 'EVENTS_LIMIT'])('%s is checked as its flag is', async (name) => {
    const env = { ...OPERATOR, [name]: '0' };
    expect(await failureOf(['serve'], { env })).toContain(
      `value '0' from env '${name}' is invalid`,
    );
  });

  test('a password or secret in a flag that is not known is not repeated', async () => {
    const line = await failureOf(['serve', `--operator-secret=${SECRET}`]);
    expect(line).toContain("unknown option '--operator-secret'");
    expect(await failureOf(['redis://:hush@host'])).not.toContain('hush');
  });

  test('a private key in place of the name of its file is not repeated', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const body = pem.split('\n')[1] ?? '';
    const run = ['archive', 'run', '--operator', 'casino', '--to', 'nowhere'];
    for (const key of [['--key', `origin\n${pem}`], ['--key', body], [`--key=${pem}`], [pem]]) {
      expect(await failureOf([...run, ...key])).not.toContain(body.slice(20));
    }
    expect(await failureOf([...run, '--key', pem])).toBe(
      '--key (a private key) cannot be read: no such file',
    );
  });
});

describe('wrong credentials are reported in one line, by their place', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'none',
      {},
      'No operator: set OPERATOR_ID and OPERATOR_SECRET, or name a file with --credentials.',
    ],
    [
      'an empty variable, as none',
      { OPERATOR_ID: 'casino', OPERATOR_SECRET: '' },
      'No operator: set OPERATOR_ID and OPERATOR_SECRET, or name a file with --credentials.',
    ],
    [
      'a short secret',
      { OPERATOR_ID: 'casino', OPERATOR_SECRET: 'short' },
      'OPERATOR_SECRET: a secret must be a text of at least 16 bytes',
    ],
    [
      'white space around the secret',
      { OPERATOR_ID: 'casino', OPERATOR_SECRET: `${SECRET}\n` },
      'OPERATOR_SECRET: a secret must not have white space around it',
    ],
    [
      'a # in the id',
      { OPERATOR_ID: 'a#b', OPERATOR_SECRET: SECRET },
      'OPERATOR_ID must be 1 to 128 characters, without #, control characters or surrounding spaces',
    ],
    [
      'both ways at once',
      { ...OPERATOR, CREDENTIALS_FILE: '/nowhere' },
      'Both OPERATOR_SECRET and --credentials are set: leave one out.',
    ],
  ])('%s', async (_, env, line) => {
    expect(await failureOf(['serve'], { env })).toBe(line);
  });

  test.each<[string, unknown, string]>([
    [
      'invalid JSON',
      `[{ "operatorId": "${SECRET}", ${SECRET} }]`,
      ' is not valid JSON. The body has an invalid key at character 42.',
    ],
    ['a list without operators', [], ': it must have at least 1 item'],
    ['an entry without secrets', [{ operatorId: 'a' }], ': 0/secrets is missing'],
    [
      'a field that is not known',
      [{ operatorId: 'a', secrets: [SECRET], x: 1 }],
      ': 0 holds an unknown name; the names are operatorId, secrets',
    ],
    [
      'a secret that is too short',
      [{ operatorId: 'a', secrets: [SECRET, 'short'] }],
      ': 0/secrets/1: a secret must be a text of at least 16 bytes',
    ],
    [
      'an operator that is given twice',
      [
        { operatorId: 'a', secrets: [SECRET] },
        { operatorId: 'a', secrets: [SECRET] },
      ],
      ': 1/operatorId is given twice',
    ],
    [
      'an id with a space around it',
      [{ operatorId: ' a', secrets: [SECRET] }],
      ': 0/operatorId must be 1 to 128 characters, without #, control characters or surrounding spaces',
    ],
  ])('a file with %s', async (_, content, line) => {
    const file = await temporaryFile('credentials.json', content);
    expect(await failureOf(['serve', '--credentials', file], { env: {} })).toBe(file + line);
  });

  test('a file that is not there, a folder, and one that is not UTF-8', async () => {
    const folder = await temporaryFolder('cli');
    expect(await failureOfFile(join(folder, 'no'))).toBe(
      `${folder}/no cannot be read: no such file`,
    );
    expect(await failureOfFile(folder)).toBe(`${folder} cannot be read: it is a folder`);
    expect(await failureOfFile(process.execPath)).toContain('it is not UTF-8');
  });
});

describe('wrong players are reported in one line, by their place', () => {
  const ann = { playerId: 'ann', currency: 'EUR', balances: { real: '1' } };
  test.each<[string, unknown, string]>([
    [
      'a balance below zero',
      [{ ...ann, balances: { real: -1 } }],
      ': 0/balances/real must be >= 0',
    ],
    [
      'a fraction that is a number',
      [ann, { ...ann, playerId: 'bob', balances: { real: 1.5 } }],
      ': 1/balances/real must be string,integer',
    ],
    ['a player that is given twice', [ann, ann], ': 1 is given twice'],
    [
      'more decimals than the store keeps',
      [{ ...ann, balances: { real: '0.12345' } }],
      ": 0: an amount is a decimal text such as '10.50' with at most 4 decimals, without exponent and leading zeros, or { units: 105000n } of 0 to 2^53-1",
    ],
    [
      'an id with a #',
      [{ ...ann, playerId: 'a#' }],
      ': 0: playerId must be 1 to 128 characters, without # or control characters',
    ],
  ])('%s', async (_, content, line) => {
    const file = await temporaryFile('players.json', content);
    expect(await failureOf(['serve', '--port', '0', '--players', file])).toBe(file + line);
  });
});

describe('an address that cannot be had', () => {
  test('is reported as taken', async () => {
    const server = createServer();
    const port = await listen(server);
    const line = await failureOf(['serve', '--port', String(port)]);
    server.close();
    expect(line).toBe(
      `Cannot listen on 127.0.0.1:${port}: the port is taken, choose another with --port`,
    );
  });

  test('is reported as not of this machine', async () => {
    const line = await failureOf(['serve', '--port', '0', '--host', '192.0.2.1']);
    expect(line).toBe('Cannot listen on 192.0.2.1:0: this machine does not have the address');
  });
});

describe.each(['serve', 'demo'])('%s with a Redis that cannot be used', (command) => {
  let unsafe: RedisServer;

  beforeAll(async () => {
    const config = {
      appendfsync: 'everysec',
      requirepass: 'hush',
      'maxmemory-policy': 'allkeys-lru',
    };
    unsafe = await startRedis({ config });
  });

  afterAll(() => unsafe.stop());

  test('names the settings that lose money, and how to go on without them', async () => {
    const line = await failureOf([command, '--store', unsafe.url]);
    expect(line).toBe(
      `The store redis://127.0.0.1:${unsafe.port} cannot be used: ` +
        'maxmemory-policy must be noeviction: otherwise a full server forgets hashes and pays wins again. ' +
        'appendonly must be yes and appendfsync always: otherwise a crash loses money that was acknowledged. ' +
        'For development, --accept-loss uses it anyway.',
    );
  });

  test('tells that the data were written with other decimals', async () => {
    const store = ['--accept-loss', '--store', unsafe.url];
    const first = await runCli([
      'demo',
      ...store,
      '--init',
      '--namespace',
      command,
      '--decimals',
      '2',
    ]);
    expect(first.code).toBe(0);
    const other = ['--namespace', command, '--decimals', '4'];
    const line = await failureOf([command, ...store, ...other]);
    expect(line).toContain(
      `The data under ${command}:settings has decimals 2; this store is set to 4.`,
    );
    expect(line).not.toContain('--accept-loss');
  });

  test('tells that ioredis is not installed, and the memory store works without it', async () => {
    const folder = await packageWithout('ioredis');
    const main = join(folder, 'dist/cli/main.js');
    const line = await failureOf([command, '--store', unsafe.url], { main });
    expect(line).toBe('A Redis store needs the package ioredis: npm install ioredis');
    expect((await runCli(['demo'], { main })).code).toBe(0);
  });
});

describe('a Redis that cannot be reached', () => {
  let locked: RedisServer;

  beforeAll(async () => {
    locked = await startRedis({ config: { requirepass: 'hush' } });
  });

  afterAll(() => locked.stop());

  test('tells that the password is wrong, without it', async () => {
    const line = await failureOf([
      'serve',
      '--store',
      locked.url.replace('hush', 'wrong-password'),
    ]);
    expect(line).toContain('WRONGPASS');
    expect(line).not.toContain('wrong-password');
  });

  test('tells that nothing answers there', async () => {
    const port = await freePort();
    const line = await failureOf(['serve', '--store', `redis://me:hush@127.0.0.1:${port}`]);
    expect(line).toMatch(
      new RegExp(`^The store redis://127\\.0\\.0\\.1:${port} cannot be used: .*ECONNREFUSED`),
    );
  });

  test('refuses a password with an @ that is not encoded, and repeats no part of it', async () => {
    const line = await failureOf(['serve', '--store', 'redis://:ha@hush@127.0.0.1']);
    expect(line).toBe('--store: the Redis address has an invalid host or port');
  });
});

function failureOfFile(path: string): Promise<string> {
  return failureOf(['serve', '--credentials', path], { env: {} });
}

/** The built package in a folder of its own, with its dependencies but none of the peers. */
async function packageWithout(...peers: readonly string[]): Promise<string> {
  built();
  const folder = await temporaryFolder('package');
  for (const part of ['dist', 'schemas', 'package.json']) {
    await cp(join(ROOT, part), join(folder, part), { recursive: true });
  }
  await mkdir(join(folder, 'node_modules'));
  for (const name of ['ajv', 'cockatiel', 'commander', 'pino']) {
    expect(peers).not.toContain(name);
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  }
  return folder;
}
