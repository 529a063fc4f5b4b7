import { describe, expect, test } from '@jest/globals';

import {
  createOperationsHandler,
  createOperationsRouter,
  type OperationsOptions,
} from '../../../lib/operator/operations';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { maria, open, operatorId, putRound, queryOf, sameOrigin, storeWithAnn } from './fixture';

const ofAnn = { operator: operatorId, player: 'ann', reason: 'a chargeback, ticket 4711' };
const targets = [
  '/',
  '/attention.json',
  '/repairs',
  '/repairs.json',
  '/repair-log',
  '/repair-log.json',
  '/changes',
  '/changes.json',
  '/changes.csv',
  '/changes.jsonl',
  '/notable.csv?kind=won',
  '/search',
  '/search.json',
  `/player?${queryOf({ player: 'ann' })}`,
  `/player.json?${queryOf({ player: 'ann' })}`,
  `/round?${queryOf({ player: 'ann', round: 'r' })}`,
  `/round.json?${queryOf({ player: 'ann', round: 'r' })}`,
];

async function isBlocked(store: Awaited<ReturnType<typeof storeWithAnn>>): Promise<boolean> {
  const found = await store.players.readPlayer({ operatorId, playerId: 'ann' });
  return found.kind === 'known' && found.blocked;
}

describe('wrong options are a TypeError that names them', () => {
  const right = { store: createMemoryStore(), operators: ['casino'], authorize: () => maria };
  test.each<[string, object, string]>([
    ['no authorize', { ...right, authorize: undefined }, 'authorize must be a function'],
    ['authorize that is true', { ...right, authorize: true }, 'authorize must be a function'],
    ['no store', { ...right, store: undefined }, 'store must have a function ready'],
    ['no operators', { ...right, operators: [] }, 'operators must be a list of operator ids'],
    ['an operator that is no id', { ...right, operators: ['a#b'] }, 'operators must be a list'],
    ['an origin with a path', { ...right, publicOrigin: 'https://a.example/ops' }, 'publicOrigin'],
    ['an invalid origin', { ...right, publicOrigin: 'ops.example' }, 'publicOrigin'],
    ...['logout', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '', 5].map(
      (signOut): [string, object, string] => [
        `sign-out at ${signOut}`,
        { ...right, signOut },
        'signOut',
      ],
    ),
    ['a misspelt option', { ...right, authorise: () => maria }, 'did you mean authorize?'],
  ])('%s', (_, options, message) => {
    for (const create of [createOperationsRouter, createOperationsHandler]) {
      expect(() => create(options as OperationsOptions)).toThrow(TypeError);
      expect(() => create(options as OperationsOptions)).toThrow(message);
      expect(() => create(options as OperationsOptions)).toThrow(`${create.name}: `);
    }
  });
});

describe('authorize', () => {
  test.each(targets)('that returns null refuses %s, and nothing is read', async (target) => {
    const store = await storeWithAnn();
    const read: string[] = [];
    const watched = new Proxy(store, {
      get(of, name, receiver): unknown {
        if (typeof name === 'string' && name !== 'decimals') read.push(name);
        return Reflect.get(of, name, receiver);
      },
    });
    const browser = open(watched, { authorize: () => null });
    read.length = 0;
    const { status, text } = await browser.get(target);
    expect({ status, read }).toEqual({ status: 403, read: [] });
    expect(text).not.toContain('ann');
  });

  test.each(targets)('that gives no right to look refuses %s', async (target) => {
    const browser = open(await storeWithAnn(), {
      authorize: () => ({ ...maria, may: ['propose', 'approve', 'block'] }),
    });
    expect((await browser.get(target)).status).toBe(403);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('directory at 10.1.2.3 is down'))],
    ['returns true', () => true],
    ['returns undefined', () => undefined],
    ['returns a person without an id', () => ({ ...maria, id: '' })],
    ['returns a person with an empty name', () => ({ ...maria, name: '' })],
    [
      'returns a name that the audit trail cannot keep',
      () => ({ ...maria, name: 'M'.repeat(129) }),
    ],
    ['returns an id that turns the line around', () => ({ ...maria, id: 'ma\u202eria' })],
    ['returns an id with a space around it', () => ({ ...maria, id: 'maria ' })],
    ['returns an unknown right', () => ({ ...maria, may: ['look', 'all'] })],
    ['returns a text as rights', () => ({ ...maria, may: 'look' })],
  ])('that %s refuses with 500, and says no more', async (_, authorize) => {
    const failures: unknown[] = [];
    const logger = {
      info: () => {},
      warn: () => {},
      error: (fields: object) => failures.push(fields),
    };
    const browser = open(await storeWithAnn(), {
      authorize: authorize as OperationsOptions['authorize'],
      logger,
    });
    const { status, text } = await browser.get(`/player?${queryOf({ player: 'ann' })}`);
    expect(status).toBe(500);
    expect(text).not.toMatch(/10\.1\.2\.3|EUR/);
    expect(failures).toHaveLength(1);
  });

  test('is asked for every request with that request', async () => {
    const asked: (string | undefined)[] = [];
    const browser = open(await storeWithAnn(), {
      authorize: ({ url }) => {
        asked.push(url);
        return maria;
      },
    });
    await browser.get('/search');
    await browser.get('/search.json');
    expect(asked).toEqual(['/search', '/search.json']);
  });

  test('of another operator than the listed ones is not known here', async () => {
    const store = await storeWithAnn();
    await store.players.openPlayer({
      operatorId: 'other',
      playerId: 'bob',
      currency: 'EUR',
      balances: { real: '5' },
    });
    await putRound(store, { operatorId: 'other', playerId: 'bob', gameRound: 'r' }, 'stranded');
    const browser = open(store);
    expect((await browser.get('/player?operator=other&player=bob')).status).toBe(404);
    expect((await browser.get('/round?operator=other&player=bob&round=r')).status).toBe(404);
    expect((await browser.get('/')).text).toContain('No round waits');
  });
});

describe('a form', () => {
  const blocked = { ...ofAnn, blocked: 'true' };
  test.each<[string, Record<string, string>, number]>([
    ['of our own page', { 'sec-fetch-site': 'same-origin' }, 303],
    ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['of a sister site', { 'sec-fetch-site': 'same-site' }, 403],
    ['that no page sent', { 'sec-fetch-site': 'none' }, 403],
    [
      'of another site that claims our origin',
      { 'sec-fetch-site': 'cross-site', origin: 'https://ops.example' },
      403,
    ],
    ['over plain http, of our origin', { origin: 'http://ops.example' }, 303],
    ['over TLS, of our origin', { origin: 'https://ops.example' }, 303],
    ['over plain http, of another origin', { origin: 'http://evil.example' }, 403],
    ['of another port of our host', { origin: 'http://ops.example:81' }, 403],
    ['of an origin that begins as ours', { origin: 'http://ops.example.evil' }, 403],
    ['of a sandboxed frame', { origin: 'null' }, 403],
    ['that does not say where it comes from', {}, 403],
  ])('%s', async (_, headers, status) => {
    const store = await storeWithAnn();
    expect((await open(store).post('/block', blocked, headers)).status).toBe(status);
    expect(await isBlocked(store)).toBe(status === 303);
  });

  test('behind a proxy is compared with publicOrigin, and not with the Host', async () => {
    const store = await storeWithAnn();
    const browser = open(store, { publicOrigin: 'https://ops.casino.example' });
    const post = async (origin: string) =>
      (await browser.post('/block', blocked, { origin })).status;
    expect(await post('https://ops.example')).toBe(403);
    expect(await post('https://ops.casino.example')).toBe(303);
  });

  test('that blocks a player needs the right to, which to propose is not', async () => {
    const store = await storeWithAnn();
    const browser = open(store, {
      authorize: () => ({ ...maria, may: ['look', 'propose', 'approve'] }),
    });
    const { status, text } = await browser.post('/block', blocked);
    expect([status, await isBlocked(store)]).toEqual([403, false]);
    expect(text).toContain('it needs the right block');
    expect((await browser.get(`/player?${queryOf({ player: 'ann' })}`)).text).not.toContain(
      '<form method="post"',
    );
  });

  test('that blocks and unblocks a player does so, and leads to the page that shows it', async () => {
    const store = await storeWithAnn();
    const lines: unknown[] = [];
    const info = (fields: object): void => void lines.push(fields);
    const browser = open(store, { logger: { info, warn: () => {}, error: () => {} } });
    const { status, headers } = await browser.post('/block', blocked);
    expect([status, headers['location']]).toEqual([
      303,
      'player?operator=casino&player=ann&did=blocked',
    ]);
    expect((await browser.get(`/${headers['location'] ?? ''}`)).text).toContain(
      'Done: the player is blocked.',
    );
    expect(await isBlocked(store)).toBe(true);
    await browser.post('/block', { ...ofAnn, blocked: 'false' });
    expect(await isBlocked(store)).toBe(false);
    const names = { operatorId, playerId: 'ann', by: 'maria' };
    expect(lines).toEqual([
      { ...names, blocked: true },
      { ...names, blocked: false },
    ]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['an unknown player', { ...blocked, player: 'bob' }, 404],
    ['an operator that is not listed', { ...blocked, operator: 'other' }, 404],
    ['neither true nor false', { ...ofAnn, blocked: 'yes' }, 400],
    ['no player', { operator: operatorId, blocked: 'true' }, 400],
    ['no reason', { operator: operatorId, player: 'ann', blocked: 'true' }, 400],
    ['a reason of spaces', { ...blocked, reason: ' '.repeat(20) }, 400],
    ['a reason that is too long', { ...blocked, reason: 'x'.repeat(501) }, 400],
  ])('with %s moves nothing', async (_, fields, status) => {
    const store = await storeWithAnn();
    expect((await open(store).post('/block', fields)).status).toBe(status);
    expect(await isBlocked(store)).toBe(false);
  });

  test('of another content type, or of too many bytes, is refused', async () => {
    const browser = open(await storeWithAnn());
    const json = { ...sameOrigin, 'content-type': 'application/json' };
    expect((await browser.post('/block', blocked, json)).status).toBe(415);
    expect((await browser.post('/block', { ...blocked, more: 'x'.repeat(20_000) })).status).toBe(
      413,
    );
  });

  test('is not done by a GET, and a page is not by a POST', async () => {
    const browser = open(await storeWithAnn());
    expect(await browser.get('/block?player=ann&blocked=true')).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
    });
    expect(await browser.post('/search', {})).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
  });
});
