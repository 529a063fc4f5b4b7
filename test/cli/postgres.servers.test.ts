import { afterEach, describe, expect, test } from '@jest/globals';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { Pool } from 'pg';

import { freePort } from '../servers/ports';
import { startPostgres } from '../servers/postgres/server';
import { temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';
import { built } from '../support/built';
import {
  debitCall,
  OPERATOR,
  runCli,
  type Service,
  signer,
  startService,
  temporaryFile,
} from './cli';
import { serverOfFile } from '../support/each-test';

const ROOT = join(__dirname, '../..');
const ANN = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100' } }];
const services: Service[] = [];
const server = serverOfFile(startPostgres);

afterEach(async () => {
  for (const service of services.splice(0)) expect(await service.stop()).toBe(0);
});

/** A service with a player, stopped after the test. */
async function serve(...args: readonly string[]): Promise<Service> {
  const players = await temporaryFile('players.json', ANN);
  const service = await startService(['--players', players, ...args]);
  services.push(service);
  return service;
}

/** The address with a login that must show up nowhere. */
function withLogin(url: string): string {
  return url.replace('postgres@', 'postgres:hush@');
}

async function failureOf(args: readonly string[], main?: string): Promise<string> {
  const options = main === undefined ? {} : { main };
  const { code, stdout, stderr } = await runCli(args, { env: OPERATOR, ...options });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(stderr).not.toContain('hush');
  return stderr.slice('error: '.length, -1);
}

describe('migrate', () => {
  test('says that a table is in use and tries again, and says at the end that nothing was changed', async () => {
    const url = await server().createDatabase();
    await runCli(['migrate', '--store', url]);
    const pool = new Pool({ connectionString: url, max: 1 });
    await pool.query('BEGIN; LOCK TABLE rgs_wallet.migrations');
    const held = await runCli(['migrate', '--store', url, '--retry-for', '2']);
    await pool.end();
    expect(held).toMatchObject({ code: 2, stdout: '' });
    const [progress, error, ...more] = held.stderr.split('\n');
    expect(progress).toMatch(/^a table of the schema is in use: .* tries again every second$/);
    expect(error).toMatch(/^error: The store .* cannot be migrated: .*: nothing was changed\./);
    expect(more).toEqual(['']);
    expect(await failureOf(['migrate', '--store', url, '--retry-for', 'long'])).toContain(
      'It must be a whole number from 0 to 86400.',
    );
  });

  test('prints each migration that it applied, and that nothing is left to do', async () => {
    const url = await server().createDatabase();
    const first = await runCli(['migrate', '--store', withLogin(url)]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^applied 001-schema\n(?:applied \d{3}-[\w-]+\n)*The schema is at \d+\.\n$/,
    );
    const second = await runCli(['migrate'], { env: { WALLET_STORE: url } });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/^Nothing to do: the schema is at \d+\.\n$/);
    const third = await runCli(['migrate', '--store', url, '--json']);
    expect(JSON.parse(third.stdout)).toEqual({ applied: [], version: expect.any(Number) });
  });

  test('tells in one line that the server cannot be reached', async () => {
    const port = await freePort();
    const line = await failureOf(['migrate', '--store', `postgres://me:hush@127.0.0.1:${port}/d`]);
    expect(line).toContain(`The store postgres://127.0.0.1:${port}/d cannot be migrated: `);
    expect(line).toContain('ECONNREFUSED');
  });

  test('refuses a schema that a newer version has made', async () => {
    const url = await server().createDatabase();
    await runCli(['migrate', '--store', url]);
    const pool = new Pool({ connectionString: url });
    await pool.query("INSERT INTO rgs_wallet.migrations VALUES (999, '999-later', 'x')");
    await pool.end();
    const expected =
      'The schema rgs_wallet has migration 999-later, which this version does not know';
    expect(await failureOf(['migrate', '--store', url])).toContain(expected);
    expect(await failureOf(['serve', '--store', url])).toContain('newer than');
  });
});

test('a password behind the ? of an address is not repeated', async () => {
  const url = `postgres://127.0.0.1:${await freePort()}/d?user=me&password=hush&sslmode=disable`;
  const line = await failureOf(['migrate', '--store', url]);
  expect(line).toContain('/d?user=...&password=...&sslmode=disable cannot be migrated');
  const encoded = await runCli(['migrate', '--store', url.replace('password', 'pass%77ord')]);
  expect(encoded.stderr).toContain('&pass%77ord=...&sslmode=disable cannot be migrated');
  expect(encoded.stderr).not.toContain('hush');
});

describe('serve and demo', () => {
  test('name the command and the flag that make the schema where it is not there', async () => {
    const url = await server().createDatabase();
    for (const command of ['serve', 'demo']) {
      const line = await failureOf([command, '--store', withLogin(url)]);
      expect(line).toContain('The schema rgs_wallet does not exist: restore its data, or create');
      expect(line).toMatch(
        / If it has another name, set --schema\. The flag --init creates one\.$/,
      );
    }
  });

  // Everybody would get the start balance again, and the books would be whole.
  test('an empty database is not taken for a new wallet with --migrate, only with --init', async () => {
    const url = await server().createDatabase();
    const line = await failureOf(['serve', '--store', url, '--migrate']);
    expect(line).toContain('The schema rgs_wallet does not exist: restore its data, or create');
    const pool = new Pool({ connectionString: url });
    const { rows } = await pool.query("SELECT to_regnamespace('rgs_wallet') AS schema");
    expect(rows).toEqual([{ schema: null }]);
    await pool.query('CREATE SCHEMA rgs_wallet'); // as its owner prepares it, and as DROP TABLE leaves it
    await pool.end();
    expect(await failureOf(['serve', '--store', url, '--migrate'])).toContain('does not exist');
    const made = await startService(['--store', url], { ...OPERATOR, WALLET_INIT: '1' });
    expect(await made.stop()).toBe(0);
    await serve('--store', url, '--migrate');
  });

  test('keep money from one start to the next, and the log never tells the password', async () => {
    const url = await server().createDatabase();
    const first = await serve('--store', withLogin(url), '--init');
    const storeAddress = url.replace('postgres@', '');
    expect(first.lines[0]).toMatchObject({ store: 'postgres', storeAddress });
    expect(await first.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
    await first.stop();
    const second = await serve('--store', withLogin(url));
    expect(await second.line('players opened')).toMatchObject({ opened: 0, existed: 1 });
    const { text } = await second.call(signer.getBalance({ playerId: 'ann', currency: 'EUR' }));
    expect(text).toContain('"amount":90,');
    expect(first.output() + second.output()).not.toContain('hush');
  });

  test('the books of the demo balance in PostgreSQL', async () => {
    const url = await server().createDatabase();
    const args = ['demo', '--store', url, '--init', '--schema', 'mine', '--no-session-timeouts'];
    const { code, stdout } = await runCli(args);
    expect(stdout).toContain('The books balance.');
    expect(code).toBe(0);
  });

  test('not ready while the server is away, and ready again with it', async () => {
    const service = await serve('--store', await server().createDatabase(), '--init');
    const status = async () => (await fetch(`${service.url}/readyz`)).status;
    expect(await status()).toBe(200);
    await server().kill9();
    await until('not to be ready', async () => (await status()) === 503);
    await server().restart();
    await until('to be ready', async () => (await status()) === 200);
  });

  test('tell that pg is not installed, and the memory store works without it', async () => {
    built();
    const folder = await temporaryFolder('package');
    for (const part of ['dist', 'schemas', 'package.json']) {
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    }
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['ajv', 'cockatiel', 'commander', 'pino']) {
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
    }
    const main = join(folder, 'dist/cli/main.js');
    for (const command of ['serve', 'demo', 'migrate']) {
      const line = await failureOf([command, '--store', server().url], main);
      expect(line).toBe('A PostgreSQL store needs the package pg: npm install pg');
    }
    expect((await runCli(['demo'], { main })).code).toBe(0);
  });
});

test('a server that can lose money is used with --accept-loss, and each start warns of it', async () => {
  const settings = { synchronous_commit: 'off' };
  const lossy = await startPostgres({ settings });
  try {
    const line = await failureOf(['serve', '--store', lossy.url, '--init']);
    expect(line).toContain('synchronous_commit must be on');
    expect(line).toContain('--accept-loss');
    const service = await serve('--store', lossy.url, '--accept-loss');
    expect(await service.line('money may be lost')).toMatchObject({ level: 40 });
    expect(await service.call(debitCall('ann', 'r-1'))).toMatchObject({ status: 200 });
    await services.splice(0)[0]?.stop();
  } finally {
    await lossy.stop();
  }
});
