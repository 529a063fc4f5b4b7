import type { IncomingMessage } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { basicAuth, PasswordTurns } from '../../../lib/cli/admin/basic-auth';
import { FailedLogins } from '../../../lib/cli/admin/failures';
import { type AdminFlags, readAdminFlags } from '../../../lib/cli/admin/flags';
import { hashPassword, isPassword } from '../../../lib/cli/admin/password';
import type { SignIn, SignInCheck } from '../../../lib/cli/admin/sign-in';
import { readUsers } from '../../../lib/cli/admin/users';
import { CommandFailure } from '../../../lib/cli/terminal/failure';
import { rights } from '../../../lib/operator/operations/configuration/person';
import { createSeededRandom } from '../../../lib/platform';
import { VirtualClock } from '../../support/virtual-clock';

const random = createSeededRandom(1);
const password = 'a long enough pässword';
let folder: string;
let users: string;
let secretFile: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rgs-wallet-admin-'));
  users = join(folder, 'users.json');
  secretFile = join(folder, 'secret');
  const kept = await hashPassword(password, random);
  const people = [
    { id: 'maria', name: 'Maria', may: ['look', 'block'], password: kept },
    { id: 'noel', name: null, may: ['look'] },
  ];
  writeFileSync(users, JSON.stringify(people));
  writeFileSync(secretFile, 'sixteen bytes and more\n');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file of a person whose rights somebody set. */
function changedBy(more: object): string {
  const set = { at: '2026-01-01T00:00:00.000Z', by: 'carl', reason: null, may: [], ...more };
  return JSON.stringify([{ id: 'a', name: null, may: [], set }]);
}

/** A request with these headers from this address. */
function request(headers: Readonly<Record<string, string>>, address = '10.0.0.1'): IncomingMessage {
  const distinct = Object.entries(headers).map(([name, value]) => [name, value.split('\n')]);
  return {
    headers,
    headersDistinct: Object.fromEntries(distinct) as Record<string, string[]>,
    socket: { remoteAddress: address },
  } as unknown as IncomingMessage;
}

function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

function settingsOf(flags: AdminFlags, clock = new VirtualClock()): SignInCheck {
  const settings = readAdminFlags({ adminPort: 0, ...flags }, { clock, random });
  if (settings === null) throw new Error('there is no page');
  return settings.signIn;
}

function proxyFlags(): AdminFlags {
  return { adminProxyHeader: 'X-Forwarded-User', adminProxySecretFile: secretFile };
}

function statusOf(found: SignIn): number {
  return found.kind === 'person' ? 200 : found.status;
}

describe('the flags', () => {
  test('without --admin-port there is no page', () => {
    expect(readAdminFlags({}, { clock: new VirtualClock(), random })).toBeNull();
  });

  test.each<[string, () => AdminFlags, string]>([
    ['a port without users', () => ({}), '--admin-port without users would show every player'],
    [
      'a public address without users',
      () => ({ adminHost: '0.0.0.0' }),
      'everybody who reaches 0.0.0.0',
    ],
    [
      'a public address that is open',
      () => ({ adminHost: '::', adminOpen: true }),
      '--admin-host must be 127.0.0.1',
    ],
    [
      'open and users',
      () => ({ adminOpen: true, adminUsers: users }),
      '--admin-open cannot be combined',
    ],
    [
      'a proxy header without a secret',
      () => ({ adminProxyHeader: 'X-User' }),
      'without the secret anyone could send the header',
    ],
    [
      'a secret without a header',
      () => ({ adminProxySecretFile: secretFile }),
      '--admin-proxy-header and --admin-proxy-secret-file need each other',
    ],
    ['a file that is not there', () => ({ adminUsers: join(folder, 'none') }), 'cannot be read'],
  ])('%s is refused with one clear line', (_, flags, line) => {
    expect(() => settingsOf(flags())).toThrow(CommandFailure);
    expect(() => settingsOf(flags())).toThrow(line);
  });

  test('other flags of the page need its port', () => {
    const ports = { clock: new VirtualClock(), random };
    expect(() => readAdminFlags({ adminUsers: users }, ports)).toThrow('need --admin-port');
  });

  test.each([
    ['no user', '[]'],
    ['an unknown right', '[{"id":"a","name":null,"may":["all"]}]'],
    ['a password that is not hashed', '[{"id":"a","name":null,"may":[],"password":"secret"}]'],
    ['an id with a colon', '[{"id":"a:b","name":null,"may":[]}]'],
    ['an id that cannot be read', '[{"id":"a\\u202eb","name":null,"may":[]}]'],
    ['an empty name', '[{"id":"a","name":"","may":[]}]'],
    ['a name with a line end', '[{"id":"a","name":"A\\nB","may":[]}]'],
    ['a name that is too long', `[{"id":"a","name":"${'A'.repeat(129)}","may":[]}]`],
    ...[
      { by: ' carl' },
      { by: 'c#d' },
      { reason: 'a\nb' },
      { reason: ' ' },
      { at: '2026-99-99T99:99:99.999Z' },
      { may: ['all'] },
    ].map((wrong) => [`a change with ${JSON.stringify(wrong)}`, changedBy(wrong)] as const),
    ['an id twice', '[{"id":"a","name":null,"may":[]},{"id":"a","name":null,"may":[]}]'],
  ])('a file of users with %s is refused, and nothing of it repeated', (_, text) => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, text);
    expect(() => settingsOf({ adminUsers: file })).toThrow(CommandFailure);
    expect(() => settingsOf({ adminUsers: file })).not.toThrow('secret');
  });

  test('a file of users may say who changed them, and why', () => {
    const file = join(folder, 'changed.json');
    writeFileSync(file, changedBy({ reason: '\u{1f3b0}'.repeat(500), may: rights }));
    expect(readUsers(file).get('a')?.set).toMatchObject({ by: 'carl', may: rights });
  });

  test('a file of users may give every right that a page asks for', () => {
    const file = join(folder, 'rights.json');
    writeFileSync(file, JSON.stringify([{ id: 'a', name: null, may: rights }]));
    expect(readUsers(file).get('a')?.may).toEqual(rights);
  });

  test('a proxy secret of fewer than 16 bytes is refused', () => {
    const short = join(folder, 'short');
    writeFileSync(short, 'too short');
    const flags = { adminProxyHeader: 'X-User', adminProxySecretFile: short };
    expect(() => settingsOf(flags)).toThrow('at least 16 bytes');
    expect(() => settingsOf(flags)).not.toThrow('too short');
  });
});

describe('a password', () => {
  test('is kept by scrypt under a salt of its own', async () => {
    const [one, other] = [
      await hashPassword(password, random),
      await hashPassword(password, random),
    ];
    expect(one).toMatch(/^scrypt:15:8:1:[\w-]{22}:[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(await isPassword(password, one)).toBe(true);
    expect(await isPassword(`${password} `, one)).toBe(false);
    expect(await isPassword('a long enough pa\u0308ssword', one)).toBe(true);
  });
});

describe('sign-in by name and password', () => {
  test.each<[string, () => Record<string, string>, number]>([
    ['the right password', () => basic('maria', password), 200],
    ['another password', () => basic('maria', 'a long enough password'), 401],
    ['an unknown person', () => basic('eve', password), 401],
    ['a person without a password', () => basic('noel', ''), 401],
    ['no header', () => ({}), 401],
    ['another scheme', () => ({ authorization: 'Bearer x' }), 401],
    ['a header without a colon', () => ({ authorization: 'Basic bWFyaWE=' }), 401],
    ['a header that is too long', () => basic('maria', 'x'.repeat(3000)), 401],
  ])('%s', async (_, headers, status) => {
    const found = await settingsOf({ adminUsers: users })(request(headers()));
    expect(statusOf(found)).toBe(status);
    if (found.kind === 'person') {
      expect(found.person).toEqual({ id: 'maria', name: 'Maria', may: ['look', 'block'] });
    } else {
      expect(found.headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
  });

  test('that fails again and again has to wait, and somebody who is signed in has not', async () => {
    const clock = new VirtualClock();
    const signIn = settingsOf({ adminUsers: users }, clock);
    const asMaria = request(basic('maria', password));
    expect(statusOf(await signIn(asMaria))).toBe(200);
    const statuses: number[] = [];
    for (let tries = 0; tries < 7; tries++) {
      statuses.push(statusOf(await signIn(request(basic('maria', `wrong ${tries}`)))));
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(statusOf(await signIn(asMaria))).toBe(200);
    await clock.pass(1000);
    expect(statusOf(await signIn(request(basic('maria', 'wrong'))))).toBe(401);
    expect(statusOf(await signIn(request(basic('maria', 'wrong'))))).toBe(429);
  });

  test('answers names that nobody has as those of people with an account, try by try', async () => {
    const signIn = settingsOf({ adminUsers: users });
    const tries = async (id: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (let at = 0; at < 7; at++) {
        statuses.push(statusOf(await signIn(request(basic(id, `wrong ${at}`)))));
      }
      return statuses;
    };
    const ofMaria = await tries('maria');
    expect(await tries('eve')).toEqual(ofMaria);
    for (const another of ['noel', 'mallory']) expect((await tries(another))[0]).toBe(401);
  });

  test('lets a person in while others try names that nobody has', async () => {
    const signIn = settingsOf({ adminUsers: users });
    const others = Array.from({ length: 6 }, (_, at) => signIn(request(basic(`no-${at}`, 'x'))));
    expect(statusOf(await signIn(request(basic('maria', password))))).toBe(200);
    expect((await Promise.all(others)).map(statusOf)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  test('tries two passwords at once, and lets 64 wait for their turn', async () => {
    const turns = new PasswordTurns();
    const entered: number[] = [];
    const tries = Array.from({ length: 67 }, (_, at) =>
      turns.enter().then((isIn) => isIn && entered.push(at)),
    );
    expect(await tries[66]).toBe(false);
    expect(entered).toEqual([0, 1]);
    for (let at = 2; at < 66; at++) {
      turns.leave();
      await tries[at];
      expect(entered.at(-1)).toBe(at);
    }
  });
});

describe('failed logins', () => {
  test('cost a pause that doubles up to a minute, and a success forgives them', () => {
    const clock = new VirtualClock();
    const failures = new FailedLogins(clock);
    const pauses = Array.from({ length: 13 }, () => {
      failures.begin('maria', 'here');
      return failures.waitMs('maria', 'here');
    });
    expect(pauses).toEqual([
      0, 0, 0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000,
    ]);
    expect(failures.waitMs('maria', 'elsewhere')).toBe(0);
    failures.succeeded('maria', 'here');
    expect(failures.waitMs('maria', 'here')).toBe(0);
  });

  test('under many names are not kept, and are no failure of anybody else', () => {
    const failures = new FailedLogins(new VirtualClock());
    for (let tries = 0; tries < 9; tries++) failures.begin('first', 'here');
    for (let at = 0; at < 30_000; at++) failures.begin(`name ${at}`, 'here');
    expect(failures.waitMs('maria', 'here')).toBe(0);
    expect(failures.waitMs('first', 'here')).toBe(0);
  });

  test('of one person from many addresses count together, and many are not kept', () => {
    const failures = new FailedLogins(new VirtualClock());
    for (let at = 0; at < 30_000; at++) failures.begin('maria', `address ${at}`);
    expect(failures.waitMs('maria', 'a new one')).toBe(60_000);
    expect(failures.waitMs('noel', 'a new one')).toBe(0);
  });
});

describe('sign-in at a proxy', () => {
  const secret = 'sixteen bytes and more';
  test.each<[string, Record<string, string>, number]>([
    ['with the secret', { 'x-forwarded-user': 'eve', 'x-admin-proxy-secret': secret }, 200],
    ['without the secret', { 'x-forwarded-user': 'eve' }, 403],
    ['with another secret', { 'x-forwarded-user': 'eve', 'x-admin-proxy-secret': 'x' }, 403],
    ['without a person', { 'x-admin-proxy-secret': secret }, 403],
    ['with two people', { 'x-forwarded-user': 'a\nb', 'x-admin-proxy-secret': secret }, 403],
    ['with no id', { 'x-forwarded-user': 'a#b', 'x-admin-proxy-secret': secret }, 403],
  ])('%s', async (_, headers, status) => {
    const found = await settingsOf(proxyFlags())(request(headers));
    expect(statusOf(found)).toBe(status);
    if (found.kind === 'person') {
      expect(found.person).toEqual({ id: 'eve', name: null, may: ['look'] });
    }
  });

  test('gives what the file of users gives, and nothing to others', async () => {
    const signIn = settingsOf({ ...proxyFlags(), adminUsers: users });
    const as = (id: string): ReturnType<typeof signIn> =>
      signIn(request({ 'x-forwarded-user': id, 'x-admin-proxy-secret': secret }));
    expect(await as('maria')).toMatchObject({ person: { may: ['look', 'block'] } });
    expect(statusOf(await as('eve'))).toBe(403);
  });
});

describe('a page that is open', () => {
  test.each([
    ['127.0.0.1:8081', 200],
    ['localhost:8081', 200],
    ['[::1]', 200],
    ['evil.example', 403],
    ['127.0.0.1.evil.example', 403],
  ])('with the Host %s answers %i', async (host, status) => {
    const found = await settingsOf({ adminOpen: true })(request({ host }));
    expect(statusOf(found)).toBe(status);
    if (found.kind === 'person') expect(found.person.may).toEqual(['look']);
  });
});

test('basic auth of a map of people does not trip over names of objects', async () => {
  const signIn = basicAuth(new Map(), { clock: new VirtualClock(), random });
  expect(statusOf(await signIn(request(basic('__proto__', 'x'))))).toBe(401);
});
