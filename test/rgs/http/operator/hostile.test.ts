import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { RawConnection, type RawReply } from '../../../network/raw-http';
import { createRig, operatorId, type Request, type Rig, signatureOf } from './rig';

const launch = {
  playerId: 'ann',
  gameCode: 'bells',
  currency: 'EUR',
  language: 'en',
  mode: 'REAL',
};
const launchFields = ['ann', 'bells', 'EUR', 'en', 'REAL'];
const freePlays = {
  playerId: 'ann',
  gameCode: 'bells',
  serial: 's',
  currency: 'EUR',
  stake: 100,
  count: 5,
};
const freePlayFields = ['ann', 'bells', 's', 'EUR', '100', '5'];

/** A good request of each call. */
const good: Readonly<Record<string, Request>> = {
  getGameURL: { path: '/getGameURL', body: JSON.stringify(launch), signed: launchFields },
  assignPlayerFreerounds: {
    path: '/assignPlayerFreerounds',
    body: JSON.stringify(freePlays),
    signed: freePlayFields,
  },
  getStats: { path: '/backoffice/getStats', body: '{}' },
  getGameConfiguration: {
    method: 'GET',
    path: '/backoffice/getGameConfiguration?gameCode=bells&currency=EUR',
    signed: ['bells', 'EUR'],
  },
  getGameList: { method: 'GET', path: '/backoffice/getGameList' },
  registerPlayer: { path: '/registerPlayer', body: '{"playerId":"ann"}', signed: ['ann'] },
  sendRealityCheckResponse: {
    path: '/sendRealityCheckResponse',
    body: '{"playerId":"ann"}',
    signed: ['ann'],
  },
};
const names = Object.keys(good);

let rig: Rig;

beforeAll(async () => {
  rig = await createRig();
});

afterEach(() => {
  rig.worked.length = 0;
  rig.events.length = 0;
  rig.findings.length = 0;
});

afterAll(() => rig.close());

async function expectRefusal(bytes: Uint8Array, status: number, id: number): Promise<RawReply> {
  const reply = await rig.raw(bytes);
  expect([reply.status, JSON.parse(reply.body)]).toEqual([
    status,
    {
      errorCode: {
        id,
        msg: expect.stringMatching(/\([A-Z]\d+(?:\.\d+)?\)$/),
        clientmsg: expect.any(String),
      },
    },
  ]);
  expect(reply.body).not.toMatch(/evil|at .*\.[jt]s|node:/);
  expect(reply.headers.get('x-h-error-id')).toMatch(/^[\da-f-]{36}$/);
  expect(rig.worked).toEqual([]);
  return reply;
}

describe.each(names)('%s', (name) => {
  const request = good[name] ?? { path: '' };

  test('signed as its list says it reaches the service, with the operator’s id (operator-api 4, 5)', async () => {
    expect((await rig.send(request)).status).toBe(200);
    expect(rig.worked[0]?.slice(0, 2)).toEqual([name, operatorId]);
    expect(rig.events).toMatchObject([
      { call: name, verdict: 'verified', signed: 'fields', callerId: operatorId, status: 200 },
    ]);
  });

  test('a stale timestamp, a wrong id, a wrong signature, a header twice: one 401 (D1.1)', async () => {
    const timestamp = new Date(Date.now() - 301_000).toISOString();
    const stale = {
      'X-H-TIMESTAMP': timestamp,
      'X-H-AUTH-SIG': signatureOf(timestamp, request.signed ?? []),
    };
    const wrong: readonly Record<string, string | undefined>[] = [
      stale,
      { 'X-H-AUTH-ID': 'other' },
      { 'X-H-AUTH-SIG': 'A'.repeat(44) },
      { 'X-H-AUTH-SIG': undefined },
      { 'X-H-TIMESTAMP': undefined },
      { 'X-H-AUTH-ID': undefined },
      { 'x-h-auth-id': operatorId },
    ];
    const bodies = new Set<string>();
    for (const headers of wrong) {
      bodies.add((await expectRefusal(rig.bytes({ ...request, headers }), 401, 1001)).body);
    }
    expect(bodies.size).toBe(1);
  });

  test('a field more, or one less, is another signature: 401', async () => {
    const signed = request.signed ?? [];
    await expectRefusal(rig.bytes({ ...request, signed: [...signed, 'x'] }), 401, 1001);
    if (signed.length === 0) return;
    await expectRefusal(rig.bytes({ ...request, signed: signed.slice(1) }), 401, 1001);
  });

  test('another method is 405, and HEAD is another one', async () => {
    const method = request.method === 'GET' ? 'POST' : 'GET';
    await expectRefusal(rig.bytes({ ...request, method }), 405, 19);
    await expectRefusal(rig.bytes({ ...request, method: 'OPTIONS' }), 405, 19);
  });

  test('nothing of it is open to a browser', async () => {
    expect((await rig.send(request)).headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe.each(['getGameURL', 'assignPlayerFreerounds', 'getStats'])('the body of %s', (name) => {
  const request = good[name] ?? { path: '' };

  test.each<[string, string | Uint8Array]>([
    ['no JSON', 'evil'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a key twice', '{"evil":1,"evil":2}'],
    ['__proto__', '{"__proto__":{"evil":1}}'],
    ['17 levels', `{"evil":${'['.repeat(16)}${']'.repeat(16)}}`],
    ['a hundred thousand levels', '['.repeat(100_000)],
    ['20,000 values', `{"evil":[${'1,'.repeat(20_000)}1]}`],
    ['bytes that are not UTF-8', Buffer.of(0x7b, 0xff, 0x7d)],
    ['a byte order mark', Buffer.from('\ufeff{}')],
  ])('%s: 400 with 19 (D2.1)', async (_, body) => {
    await expectRefusal(rig.bytes({ ...request, body }), 400, 19);
  });

  test('of another type is 415, too long 413 (D2.1)', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    await expectRefusal(rig.bytes({ ...request, headers }), 415, 19);
    await expectRefusal(rig.bytes({ ...request, body: ' '.repeat(262_145) }), 413, 19);
    const encoded = { 'Content-Encoding': 'gzip' };
    await expectRefusal(rig.bytes({ ...request, headers: encoded }), 415, 19);
  });

  test('that breaks off reaches nothing', async () => {
    const connection = await RawConnection.open(rig.port);
    connection.send(rig.bytes({ ...request, headers: { 'Content-Length': '1000' } }));
    await new Promise(setImmediate);
    connection.abort();
    expect((await rig.send(good['getGameList'] ?? request)).status).toBe(200);
    expect(rig.worked.map(([worked]) => worked)).toEqual(['getGameList']);
  });
});

describe('what is wrong in a signed field (D1.6, D1.7)', () => {
  test.each<[string, object]>([
    ['# in a text', { ...launch, playerId: 'a#b' }],
    ['a control character', { ...launch, gameCode: 'a\u0007' }],
    ['a number for a text', { ...launch, language: 7 }],
    ['no gameCode', { ...launch, gameCode: undefined }],
  ])('%s: 400 with 19, before the signature', async (_, message) => {
    await expectRefusal(rig.bytes({ path: '/getGameURL', body: JSON.stringify(message) }), 400, 19);
  });

  test.each<[string, object, readonly string[]]>([
    [
      'a mode that the API does not have',
      { ...launch, mode: 'real' },
      ['ann', 'bells', 'EUR', 'en', 'real'],
    ],
    ['REAL without a player', { ...launch, playerId: null }, launchFields.slice(1)],
  ])('%s: 400 with 19, for verified callers alone', async (_, message, signed) => {
    const body = JSON.stringify(message);
    await expectRefusal(rig.bytes({ path: '/getGameURL', body, signed }), 400, 19);
    expect(rig.events).toMatchObject([{ verdict: 'verified' }]);
    await expectRefusal(rig.bytes({ path: '/getGameURL', body, signed: ['x'] }), 401, 1001);
  });

  test.each([
    ['a parameter twice', 'gameCode=bells&gameCode=x&currency=EUR'],
    ['an escape that is not UTF-8', 'gameCode=%ff&currency=EUR'],
    ['no currency', 'gameCode=bells'],
    ['a currency in small letters', 'gameCode=bells&currency=eur'],
  ])('getGameConfiguration with %s: 400 with 19', async (_, query) => {
    const signed = ['bells', query.endsWith('eur') ? 'eur' : 'EUR'];
    const path = `/backoffice/getGameConfiguration?${query}`;
    await expectRefusal(rig.bytes({ method: 'GET', path, signed }), 400, 19);
  });
});

test.each(['/', '/getBalance', '/doTransactions', '/getStats', '/backoffice', '/addWin', '*'])(
  'the path %s is 404 with 19',
  async (path) => {
    await expectRefusal(rig.bytes({ path, body: '{}' }), 404, 19);
  },
);

/** The headers of a signature over these fields, to be sent more than once. */
const signedNow = (fields: readonly string[]): Record<string, string> => {
  const timestamp = new Date().toISOString();
  return { 'X-H-TIMESTAMP': timestamp, 'X-H-AUTH-SIG': signatureOf(timestamp, fields) };
};

describe('a signature that came before (D1.8)', () => {
  test('serves no second getGameURL: each would be a new session of the player', async () => {
    const headers = signedNow(launchFields);
    const request = { ...good['getGameURL'], path: '/getGameURL', headers };
    expect((await rig.send(request)).status).toBe(200);
    expect((await rig.send(request)).status).toBe(401);
    const body = JSON.stringify({ ...launch, externalSessionId: 'evil' });
    expect((await rig.send({ ...request, body })).status).toBe(401);
    expect(rig.worked.filter(([name]) => name === 'getGameURL')).toHaveLength(1);
    expect(rig.findings).toMatchObject([{ id: 'exactRepeat', call: 'getGameURL' }]);
  });

  test('serves the same assignPlayerFreerounds again, and no other expiry', async () => {
    const headers = signedNow(freePlayFields);
    const request = { ...good['assignPlayerFreerounds'], path: '/assignPlayerFreerounds', headers };
    expect((await rig.send(request)).status).toBe(200);
    expect((await rig.send(request)).status).toBe(200);
    const body = JSON.stringify({ ...freePlays, expires: '2099-01-01T00:00:00Z' });
    expect((await rig.send({ ...request, body })).status).toBe(401);
    expect(rig.worked).toHaveLength(2);
  });

  test('serves reads that differ: they change nothing, and a timestamp may have no milliseconds', async () => {
    const headers = signedNow([]);
    for (const body of ['{}', '{"showTotals":true}', '{}']) {
      expect((await rig.send({ path: '/backoffice/getStats', body, headers })).status).toBe(200);
    }
    expect(rig.worked).toHaveLength(3);
  });
});
