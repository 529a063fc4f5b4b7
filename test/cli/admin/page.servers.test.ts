import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, describe, expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';

import { blockOf } from '../../docs/blocks';
import { findChromium } from '../../servers/chromium/binary';
import { freePort } from '../../servers/ports';
import { temporaryFolder } from '../../servers/reaper';
import { until } from '../../servers/until';
import { built } from '../../support/built';
import {
  debitCall,
  OPERATOR,
  OPERATOR_ID,
  runCli,
  type Service,
  startService,
  temporaryFile,
} from '../cli';

const password = 'correct horse battery';
const ann = [{ playerId: 'ann', currency: 'EUR', balances: { real: '100.50' } }];
const services: Service[] = [];

afterEach(async () => {
  for (const service of services.splice(0)) expect(await service.stop()).toBe(0);
});

/** Adds people to a file of users: what they may do, by id. */
async function usersFile(people: Readonly<Record<string, string>>): Promise<string> {
  const file = join(await temporaryFolder('admin'), 'users.json');
  for (const [id, may] of Object.entries(people)) {
    const args = ['admin-user', 'add', '--file', file, '--id', id, '--name', `Name of ${id}`];
    const { code, stderr } = await runCli([...args, '--may', may], { stdin: `${password}\n` });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  return file;
}

/** Starts a service with a page; resolves to the page's address. */
async function serve(args: readonly string[]): Promise<{ service: Service; page: string }> {
  const players = await temporaryFile('players.json', ann);
  const service = await startService(['--admin-port', '0', '--players', players, ...args]);
  services.push(service);
  const { adminUrl } = await service.line('operations page listening');
  return { service, page: String(adminUrl) };
}

function basic(id: string, secret = password): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

describe('rgs-wallet admin-user add', () => {
  test('writes a file that its owner alone can read, with no password in it', async () => {
    const file = await usersFile({ maria: 'look,block', noel: 'look' });
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(password);
    expect(JSON.parse(text)).toEqual([
      {
        id: 'maria',
        name: 'Name of maria',
        may: ['look', 'block'],
        set: {
          at: expect.stringMatching(/Z$/),
          by: userInfo().username,
          reason: null,
          may: ['look', 'block'],
        },
        password: expect.stringMatching(/^scrypt:/),
      },
      expect.objectContaining({ id: 'noel', may: ['look'] }),
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test.each<[string, string[], string, string]>([
    ['a short password', ['--id', 'bob', '--may', 'look'], 'short\n', '12 to 256 characters'],
    [
      'an unknown right',
      ['--id', 'bob', '--may', 'all'],
      password,
      'look, propose, approve, block',
    ],
    ['an id with a colon', ['--id', 'a:b', '--may', 'look'], password, 'without a colon'],
    ['a person who is there', ['--id', 'maria', '--may', 'look'], password, 'exists already'],
    ['another spelling of one', ['--id', 'MARIA', '--may', 'look'], password, 'spelling of maria'],
    ['an id with a space', ['--id', 'noel ', '--may', 'look'], password, 'spaces around it'],
  ])('refuses %s with one line, and changes nothing', async (_, args, stdin, line) => {
    const file = await usersFile({ maria: 'look' });
    const before = await readFile(file, 'utf8');
    const { code, stderr } = await runCli(['admin-user', 'add', '--file', file, ...args], {
      stdin,
    });
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(line);
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describe('rgs-wallet admin-user remove', () => {
  test('takes the password and all rights, and Changes says of each change who made it and why', async () => {
    const file = await usersFile({ maria: 'look', noel: 'look,block' });
    const remove = ['admin-user', 'remove', '--file', file, '--by', 'olga', '--reason', 'has left'];
    expect(await runCli([...remove, '--id', 'noel', '--json'])).toMatchObject({ code: 0 });
    const unknown = await runCli([...remove, '--id', 'paul']);
    expect(unknown).toMatchObject({ code: 2, stderr: `error: ${file}: there is no paul\n` });
    const { page } = await serve(['--admin-users', file]);
    expect((await fetch(page, { headers: basic('noel') })).status).toBe(401);
    const changes = await fetch(`${page}changes.json?kind=rights`, { headers: basic('maria') });
    expect(await changes.json()).toMatchObject({
      changes: [
        { person: { id: 'maria' }, may: ['look'], before: null, by: { id: userInfo().username } },
      ],
    });
  });
});

describe('rgs-wallet serve --admin-port', () => {
  test.each<[string, string[], string]>([
    ['on a public address without users', ['--admin-host', '0.0.0.0'], 'without users'],
    ['on loopback without users', [], 'without users'],
    ['open on a public address', ['--admin-host', '0.0.0.0', '--admin-open'], 'must be 127.0.0.1'],
    ['behind a proxy without a secret', ['--admin-proxy-header', 'X-User'], 'need each other'],
  ])('is refused %s, with one line', async (_, args, line) => {
    const port = String(await freePort());
    const started = ['serve', '--port', '0', '--admin-port', port, ...args];
    const { code, stdout, stderr } = await runCli(started, { env: OPERATOR });
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toContain(line);
  });

  test('shows the page and the metrics to people who sign in, and to nobody else', async () => {
    const users = await usersFile({ maria: 'look', noel: 'look,block' });
    const { service, page } = await serve(['--admin-users', users]);
    for (const path of [
      '',
      'attention.json',
      'player?player=ann',
      'metrics',
      'openapi.json',
      'nowhere',
    ]) {
      expect((await fetch(page + path)).status).toBe(401);
    }
    expect((await fetch(page, { headers: basic('maria', 'wrong') })).status).toBe(401);
    expect((await service.call(debitCall('ann', 'r-1'))).status).toBe(200);
    const headers = basic('maria');
    expect(await (await fetch(page, { headers })).text()).toContain('Money is moving');
    const player = await fetch(`${page}player.json?player=ann`, { headers });
    expect(await player.json()).toMatchObject({
      operatorId: OPERATOR_ID,
      accounts: [{ currency: 'EUR', real: '90.5', bonus: null }],
    });
    const answer = await fetch(`${page}metrics`, { headers });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toMatch(
      /^rgs_wallet_call_duration_seconds_count\{.*operation="doTransactions".*\} 1$/m,
    );
    const described = await fetch(`${page}openapi.json`, { headers });
    expect(await described.json()).toMatchObject({ paths: { '/attention.json': {} } });
    expect((await fetch(`${service.url}/attention.json`, { headers })).status).toBe(404);
    expect(service.output()).not.toContain(password);
  });

  test.each(['--open-hours', 'OPEN_HOURS'])(
    '%s says after how many hours a round without an end waits',
    async (name) => {
      const flag = name.startsWith('-') ? [name, '5'] : [];
      const env = { ...OPERATOR, ...(flag.length === 0 ? { [name]: '5' } : {}) };
      const service = await startService(['--admin-port', '0', '--admin-open', ...flag], env);
      services.push(service);
      const { adminUrl } = await service.line('operations page listening');
      const text = await (await fetch(String(adminUrl))).text();
      expect(text).toContain('No round is open for more than 5 hours.');
    },
  );

  test('leads to where people sign out by --admin-sign-out', async () => {
    const { page } = await serve(['--admin-open', '--admin-sign-out', '/oauth2/sign_out']);
    expect(await (await fetch(`${page}person`)).text()).toContain(
      'href="/oauth2/sign_out">Sign out',
    );
  });

  test('shows the money of a day that --totals has counted, in the zone of --books-zone', async () => {
    const { page } = await serve(['--admin-open', '--totals', '--books-zone', 'Europe/Malta']);
    const view = await until('the opening is counted', async () => {
      const found = (await (await fetch(`${page}money.json`)).json()) as { totals: string };
      return found.totals === 'on' && found;
    });
    const figures = { rounds: 0, cashIn: '100.5', added: '100.5' };
    expect(view).toMatchObject({
      zone: 'Europe/Malta',
      lacks: ['running', 'begun within'],
      figures,
    });
  });

  test('is switched on by the commands of docs/operations/staff-page.md', async () => {
    const folder = await temporaryFolder('admin');
    const { code: block } = blockOf('docs/operations/staff-page.md', 'admin');
    const [add = '', serves = ''] = block.trim().split('\n');
    const command = add.replace('rgs-wallet', `${process.execPath} ${built('cli/main.js')}`);
    const env = { ...process.env, PASSWORD: password };
    await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
    const flags = serves.replace(/^rgs-wallet serve --store \S+ /, '').replace('8081', '0');
    const args = flags.replace('users.json', join(folder, 'users.json')).split(' ');
    const { page } = await serve(args);
    expect((await fetch(page, { headers: basic('maria') })).status).toBe(200);
  });

  test('is signed in to by a browser, which then blocks a player', async () => {
    const file = await usersFile({ maria: 'look,block' });
    const { service, page: address } = await serve(['--admin-users', file]);
    const browser = await chromium.launch({
      executablePath: await findChromium(),
      args: ['--no-sandbox'],
      timeout: 60_000,
    });
    try {
      const context = await browser.newContext({
        javaScriptEnabled: false,
        httpCredentials: { username: 'maria', password },
      });
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      await page.goto(`${address}search`);
      await page.fill('input[name=player]', 'ann');
      await page.click('main button');
      expect(await page.textContent('header')).toContain('Name of maria');
      await page.fill('form[action=block] input[name=reason]', 'a chargeback');
      await page.click('text=Block: refuse debits');
      expect(await page.textContent('.notice')).toBe('Done: the player is blocked.');
    } finally {
      await browser.close();
    }
    expect((await service.call(debitCall('ann', 'r-1'))).text).toContain('errorCode');
  });

  test('that is open lets everybody on this machine look, and do no more', async () => {
    const { page } = await serve(['--admin-open']);
    expect((await fetch(page)).status).toBe(200);
    const posted = await fetch(`${page}block`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ player: 'ann', blocked: 'true' }),
    });
    expect(posted.status).toBe(403);
  });
});
