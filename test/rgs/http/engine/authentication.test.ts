import { createHmac } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { systemClock } from '../../../../lib/platform';
import {
  createRig,
  gameProviderId,
  otherSecret,
  type Request,
  type Rig,
  secret,
  signatureOf,
} from './rig';

const body = '{"testData":"hello"}';
const ping: Request = { path: '/testPing', body };
const unauthenticated = {
  errorCode: {
    id: 1001,
    msg: 'The request could not be authenticated. (E2.1)',
    clientmsg: expect.any(String),
  },
};
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const now = () => new Date().toISOString();
const signed = (timestamp: string, sig: string) => ({
  'X-H-TIMESTAMP': timestamp,
  'X-H-AUTH-SIG': sig,
});

describe('who may call', () => {
  let rig: Rig;
  const bodies = new Set<string>();

  beforeAll(async () => {
    rig = await createRig();
  });

  afterEach(() => {
    rig.worked.length = 0;
    rig.events.length = 0;
  });

  afterAll(() => rig.close());

  /** Sends it, and expects the one 401; nothing of it reaches the service. */
  async function expectUnauthenticated(bytes: Uint8Array): Promise<void> {
    const reply = await rig.raw(bytes);
    expect(reply.status).toBe(401);
    expect(JSON.parse(reply.body)).toEqual(unauthenticated);
    expect(reply.headers.get('x-h-error-id')).toMatch(uuid);
    bodies.add(reply.body);
    expect(bodies.size).toBe(1);
    expect(rig.worked).toEqual([]);
    expect(rig.events).toMatchObject([{ verdict: 'refused', callerId: null, status: 401 }]);
  }

  test('a body signed as sent, followed by # and the timestamp, is let in (E2.2)', async () => {
    const reply = await rig.send(ping);
    expect(reply.status).toBe(200);
    expect(rig.worked).toMatchObject([{ gameProviderId, name: 'testPing' }]);
  });

  const names = ['X-H-AUTH-ID', 'X-H-AUTH-SIG', 'X-H-TIMESTAMP'];
  const counts = [0, 1, 2].flatMap((a) =>
    [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])),
  );
  test.each(counts.filter((count) => count.join() !== '1,1,1'))(
    'the three headers %i, %i and %i times: the same 401 (E2.1)',
    async (...count) => {
      const text = rig.bytes(ping).toString('latin1');
      const lines = text.split('\r\n').flatMap((line) => {
        const at = names.findIndex((name) => line.startsWith(`${name}:`));
        return at < 0 ? [line] : Array.from({ length: count[at] ?? 0 }, () => line);
      });
      await expectUnauthenticated(Buffer.from(lines.join('\r\n'), 'latin1'));
    },
  );

  const at = now();
  const good = signatureOf(body, at);
  const operatorStyle = createHmac('sha256', secret)
    .update(`${secret}#${gameProviderId}#${at}`)
    .digest('base64');
  test.each<[string, Record<string, string>]>([
    ['an unknown id', { 'X-H-AUTH-ID': 'studio-2' }],
    ['an empty id', { 'X-H-AUTH-ID': '' }],
    ['the id in other letters', { 'X-H-AUTH-ID': 'Studio-1' }],
    ['a signature of another body', signed(at, signatureOf('{}', at))],
    ['a signature of another moment', signed(at, signatureOf(body, now().replace('Z', '+00:00')))],
    ['a signature with another secret', signed(at, signatureOf(body, at, 'another-secret-012345'))],
    ['the signature of the Operator API, which begins with the secret', signed(at, operatorStyle)],
    ['hexadecimal', signed(at, Buffer.from(good, 'base64').toString('hex'))],
    ['base64 without its padding', signed(at, good.slice(0, -1))],
    ['base64 of 31 bytes', signed(at, Buffer.from(good, 'base64').subarray(1).toString('base64'))],
    ['base64 that is not canonical', signed(at, nonCanonical(good))],
    ['base64 with a space', signed(at, `${good.slice(0, 20)} ${good.slice(20)}`)],
    ['no base64', signed(at, '%'.repeat(44))],
    ['an empty signature', signed(at, '')],
    ['a very long signature', signed(at, 'A'.repeat(8000))],
    ['no time', signed('now', signatureOf(body, 'now'))],
    [
      'a day that does not exist',
      signed('2026-02-30T00:00:00Z', signatureOf(body, '2026-02-30T00:00:00Z')),
    ],
    ['milliseconds since 1970', signed(String(Date.now()), signatureOf(body, String(Date.now())))],
  ])('%s: the same 401 (E2.1)', async (_, headers) => {
    await expectUnauthenticated(rig.bytes({ ...ping, headers }));
  });

  test.each<[string, string | Uint8Array]>([
    ['one space more', '{ "testData":"hello"}'],
    ['a line end after it', `${body}\n`],
    ['the same JSON, escaped', '{"testData":"\\u0068ello"}'],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from(body), Buffer.of(0xff)])],
    ['no JSON at all', '<xml/>'],
    ['nothing', ''],
  ])(
    'the bytes count, not what they mean: signed %s, the same 401 (E2.2)',
    async (_, signedBody) => {
      await expectUnauthenticated(rig.bytes({ ...ping, signedBody }));
    },
  );

  test.each<[string, string | Uint8Array]>([
    ['no JSON', '<xml/>'],
    ['a key twice', '{"testData":1,"testData":2}'],
    ['a hundred thousand levels', '['.repeat(100_000)],
  ])('with a wrong signature nothing is parsed: %s gets the 401 too (E2.2)', async (_, hostile) => {
    await expectUnauthenticated(rig.bytes({ ...ping, body: hostile, signedBody: 'other' }));
  });

  test('every secret of a provider is tried (E2.7)', async () => {
    const headers = { ...signed(at, signatureOf(body, at, otherSecret)) };
    expect((await rig.send({ ...ping, headers })).status).toBe(200);
    expect(rig.worked).toMatchObject([{ gameProviderId }]);
  });

  test('a timestamp without milliseconds, and one with a zone, is signed as it is written (E2.2)', async () => {
    for (const timestamp of [`${at.slice(0, 19)}Z`, `${at.slice(0, 19)}+00:00`, at.slice(0, 23)]) {
      const headers = signed(timestamp, signatureOf(body, timestamp));
      expect((await rig.send({ ...ping, headers })).status).toBe(200);
    }
  });

  test('no reply and no event holds a secret, for any request', async () => {
    const reply = await rig.send({
      path: `/${secret}?${secret}`,
      body,
      headers: { 'X-H-AUTH-ID': secret, 'X-Request-Id': secret, 'X-H-AUTH-SIG': secret },
    });
    const { request: _, ...event } = rig.events[0] ?? { request: null };
    expect(reply.body + JSON.stringify(event)).not.toContain(secret);
    expect(event).toMatchObject({ claimedId: '[secret]', path: '[secret]', requestId: '[secret]' });
  });

  test('an id with controls cannot write to the reader’s terminal', async () => {
    await rig.send({ ...ping, headers: { 'X-H-AUTH-ID': 'a\u0085b' } });
    expect(JSON.stringify(rig.events[0]?.claimedId)).not.toMatch(/[\u0080-\u009f]/);
  });
});

describe('a timestamp is at most 300 s away, in either direction (E2.1)', () => {
  const startedAt = Date.parse('2026-03-01T12:00:00.000Z');
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig({ clock: { ...systemClock, now: () => startedAt } });
  });

  afterAll(() => rig.close());

  test.each([
    [-300_000, 200],
    [-300_001, 401],
    [0, 200],
    [300_000, 200],
    [300_001, 401],
  ])('%i ms from now: %i', async (ms, status) => {
    const timestamp = new Date(startedAt + ms).toISOString();
    const headers = signed(timestamp, signatureOf(body, timestamp));
    const reply = await rig.send({ ...ping, headers });
    expect(reply.status).toBe(status);
    if (status === 401) expect(JSON.parse(reply.body)).toEqual(unauthenticated);
  });
});

describe('the vectors of E2.9, whose clock is that of their timestamp', () => {
  const timestamp = '2026-03-01T12:00:00.000Z';
  const clock = { ...systemClock, now: () => Date.parse(timestamp) };
  const vectorSecret = 'vector-secret-0123456789abcdef';
  let rig: Rig;

  beforeAll(async () => {
    const providers = [{ gameProviderId, secrets: [vectorSecret] }];
    rig = await createRig({ clock, providers });
  });

  afterAll(() => rig.close());

  test.each<[string, Request, string]>([
    ['testPing', ping, 'dPr32gIj+b96iNcubT6eT6F714IJvrIqbGoTIlxNSEw='],
    [
      'with white space',
      { ...ping, body: '{ "testData": "hello" }' },
      'LLvYcY6FgW7YV8xjXL1Egg80YxfiHXq1HV1G0VLrdkY=',
    ],
    [
      'UTF-8',
      { ...ping, body: '{"testData":"Grüße"}' },
      'fr/LnOMV0pqVX4AyJI1FmkEeWww4zN8DUpT1kKTGIKA=',
    ],
    [
      'getOperatorSettings, empty',
      { method: 'GET', path: '/getOperatorSettings?game=bells&operator=acme&currency=EUR' },
      'TIqoWz18Qqjw7N0HBkBVxU2MrfAmddVdSifCbLnYZp8=',
    ],
    [
      'getOperatorSettings, {}',
      { method: 'GET', path: '/getOperatorSettings?game=bells&operator=acme&currency=EUR' },
      'Bdd4XxpGzz5qsLy8ZPOVlo/CxZcA70JEOEDIdH6dJvA=',
    ],
  ])('%s is let in', async (_, request, signature) => {
    const headers = { 'X-H-TIMESTAMP': timestamp, 'X-H-AUTH-SIG': signature };
    expect((await rig.send({ ...request, headers })).status).toBe(200);
  });
});

describe('getOperatorSettings has no body (E2.3)', () => {
  const path = '/getOperatorSettings?game=bells&operator=acme&currency=EUR';
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig();
  });

  afterEach(() => {
    rig.events.length = 0;
    rig.worked.length = 0;
  });

  afterAll(() => rig.close());

  test.each([
    ['', 'emptyBody'],
    ['{}', 'emptyObject'],
  ])(
    'signed with %j and # and the timestamp it is let in; the trace names %s',
    async (signedBody, named) => {
      expect((await rig.send({ method: 'GET', path, signedBody })).status).toBe(200);
      expect(rig.events).toMatchObject([{ verdict: 'verified', signed: named }]);
      expect(rig.worked).toMatchObject([
        { request: { game: 'bells', operator: 'acme', currency: 'EUR' } },
      ]);
    },
  );

  test('a stack that sends {} with its GET is let in', async () => {
    expect((await rig.send({ method: 'GET', path, body: '{}' })).status).toBe(200);
  });

  test('a GET with any other body is refused with 19', async () => {
    const reply = await rig.send({ method: 'GET', path, body: '{"game":"x"}', signedBody: '' });
    expect([reply.status, JSON.parse(reply.body).errorCode.id]).toEqual([400, 19]);
    expect(rig.worked).toEqual([]);
  });

  test.each(['null', '[]', '{ }', '""'])('signed with %s: 401', async (signedBody) => {
    expect((await rig.send({ method: 'GET', path, signedBody })).status).toBe(401);
  });

  test.each([
    ['a parameter twice', '/getOperatorSettings?game=bells&game=x&operator=acme&currency=EUR'],
    ['a missing one', '/getOperatorSettings?game=bells&operator=acme'],
    ['an escape that is not UTF-8', '/getOperatorSettings?game=%ff&operator=acme&currency=EUR'],
    ['a currency in small letters', '/getOperatorSettings?game=bells&operator=acme&currency=eur'],
  ])('%s: 400 with 19 (E21.1)', async (_, target) => {
    const reply = await rig.send({ method: 'GET', path: target });
    expect([reply.status, JSON.parse(reply.body).errorCode.id]).toEqual([400, 19]);
    expect(rig.worked).toEqual([]);
  });
});

/** The same bytes with the unused bits of the last character set (D1.4). */
function nonCanonical(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = letters.indexOf(text.charAt(42));
  return `${text.slice(0, 42)}${letters.charAt(last | 1)}=`;
}
