import { request as httpRequest } from 'node:http';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { exchange, RawConnection, type RawReply } from '../../../network/raw-http';
import { createRig, type Request, type Rig } from './rig';

const good = '{"testData":"hello"}';
let rig: Rig;

beforeAll(async () => {
  rig = await createRig();
});

afterEach(() => {
  rig.worked.length = 0;
});

afterAll(() => rig.close());

/** Expects one refusal in the form of E3.1, and that nothing reached the service; then that the server lives. */
async function expectRefusal(bytes: Uint8Array, status: number, id = 19): Promise<RawReply> {
  const reply = await rig.raw(bytes);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    status,
    'application/json; charset=utf-8',
  ]);
  expect(JSON.parse(reply.body)).toEqual({
    errorCode: {
      id,
      msg: expect.stringMatching(/\([A-Z]\d+(?:\.\d+)?\)$/),
      clientmsg: expect.any(String),
    },
  });
  expect(reply.body).not.toMatch(/evil|at .*\.[jt]s|node:/);
  expect(reply.headers.get('x-h-error-id')).toMatch(/^[\da-f-]{36}$/);
  expect(reply.headers.get('x-response-id')).not.toBeUndefined();
  expect(rig.worked).toEqual([]);
  await expectAlive();
  return reply;
}

async function expectAlive(): Promise<void> {
  expect((await rig.send({ path: '/testPing', body: good })).status).toBe(200);
  rig.worked.length = 0;
}

const ping = (more: Partial<Request> = {}): Buffer =>
  rig.bytes({ path: '/testPing', body: good, ...more });

const levels = (count: number) => '['.repeat(count) + ']'.repeat(count);

describe('a body with a right signature that is not strict JSON is refused with 400 and 19 (E2.4)', () => {
  test.each<[string, string | Uint8Array]>([
    ['a hundred thousand levels', '['.repeat(100_000)],
    ['17 levels', `{"testData":${levels(16)}}`],
    ['a key twice', '{"testData":1,"testData":2}'],
    ['a key twice, once escaped', String.raw`{"testData":1,"test\u0044ata":2}`],
    ['__proto__', '{"testData":1,"__proto__":{"evil":1}}'],
    ['an escaped __proto__', String.raw`{"testData":1,"\u005f_proto__":{"evil":1}}`],
    ['constructor', '{"testData":{"constructor":{"prototype":{"evil":1}}}}'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"testData":"'), Buffer.of(0xff), Buffer.from('"}')]),
    ],
    [
      'overlong UTF-8',
      Buffer.concat([Buffer.from('{"testData":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]),
    ],
    ['a byte order mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(good)])],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['a NUL after it', `${good}\u0000`],
    ['a lone surrogate', String.raw`{"testData":"\ud800"}`],
    ['a comment', `${good}// evil`],
    ['two bodies', good + good],
    ['nothing', ''],
    ['white space', '  '],
    ['null', 'null'],
    ['a list', `[${good}]`],
    ['a text', '"evil"'],
    ['a number', '1e999'],
    ['a number with a leading zero', '{"testData":01}'],
    ['NaN', '{"testData":NaN}'],
    ['a form', 'testData=evil'],
    [
      'XML',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    ],
  ])('%s', async (_, body) => {
    await expectRefusal(ping({ body }), 400);
  });

  test('16 levels are accepted, and come back as they came', async () => {
    const reply = await rig.send({ path: '/testPing', body: `{"testData":${levels(15)}}` });
    expect(reply.status).toBe(200);
    expect(rig.worked).toMatchObject([{ request: { testData: levels(15) } }]);
  });

  test('no prototype is polluted by any of it', () => {
    expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
  });
});

describe('size and type are refused before the headers are looked at (E2.4)', () => {
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=latin1'],
    ['application/json, text/plain'],
    ['application/problem+json'],
    [''],
    [undefined],
  ])('the content type %j: 415', async (type) => {
    const headers = { 'Content-Type': type, 'X-H-AUTH-SIG': 'wrong' };
    await expectRefusal(ping({ headers }), 415);
  });

  test.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('the content type %s is accepted', async (type) => {
    const reply = await rig.raw(ping({ headers: { 'Content-Type': type } }));
    expect(reply.status).toBe(200);
  });

  test.each(['gzip', 'deflate', 'br', 'evil'])(
    'a content encoding of %s: 415',
    async (encoding) => {
      await expectRefusal(ping({ more: [['Content-Encoding', encoding]] }), 415);
    },
  );

  test('256 KiB are accepted', async () => {
    const body = `{"testData":"${'x'.repeat(256 * 1024 - 15)}"}`;
    expect(Buffer.byteLength(body)).toBe(256 * 1024);
    expect((await rig.send({ path: '/testPing', body })).status).toBe(200);
  });

  test('a byte more is 413', async () => {
    const body = `{"testData":"${'x'.repeat(256 * 1024 - 14)}"}`;
    await expectRefusal(ping({ body }), 413);
  });

  test('a body that says it is too large is 413 before it came, and the connection ends', async () => {
    const reply = await expectRefusal(
      ping({ body: '', headers: { 'Content-Length': '999999999' } }),
      413,
    );
    expect(reply.headers.get('connection')).toBe('close');
  });

  test('a chunked body that grows too large is 413, and the connection ends', async () => {
    const connection = await RawConnection.open(rig.port);
    const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    connection.send(ping({ body: '', headers }));
    const piece = `${(32_768).toString(16)}\r\n${' '.repeat(32_768)}\r\n`;
    for (let at = 0; at < 9; at++) connection.send(piece);
    const { replies } = await connection.replies();
    expect(replies[0]?.status).toBe(413);
    expect((await connection.replies(2)).closed).toBe(true);
    await expectAlive();
  });

  test('a body in too many pieces is 413', async () => {
    const connection = await RawConnection.open(rig.port);
    const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    connection.send(ping({ body: '', headers }));
    connection.send('1\r\n \r\n'.repeat(1025));
    expect((await connection.replies()).replies[0]?.status).toBe(413);
    connection.abort();
    await expectAlive();
  });

  test('a good chunked body is worked: its signature covers the bytes, not the chunks (E2.2)', async () => {
    const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    const head = rig.bytes({ path: '/testPing', body: '', signedBody: good, headers });
    const chunks = `5\r\n${good.slice(0, 5)}\r\n${(good.length - 5).toString(16)}\r\n${good.slice(5)}\r\n0\r\n\r\n`;
    const reply = await rig.raw(Buffer.concat([head, Buffer.from(chunks)]));
    expect(reply.status).toBe(200);
  });

  test('a request that breaks off in its body reaches nothing', async () => {
    const connection = await RawConnection.open(rig.port);
    connection.send(ping().subarray(0, -3));
    await new Promise(setImmediate);
    connection.abort();
    await expectAlive();
    expect(rig.worked).toEqual([]);
  });
});

describe('paths and methods that the API does not have are 19 too (E3.3)', () => {
  test.each([
    '/',
    '/nothing',
    '/addWin/x',
    '/addWin%00',
    '/addWin%2f',
    '/%61ddWin',
    '//addWin',
    '/../addWin',
    '/gameapi/v2/addWin',
    '/doTransactions',
    '/__proto__',
    '/constructor',
    'http://evil.example/nothing',
    '*',
  ])('%s is 404', async (path) => {
    await expectRefusal(rig.bytes({ path, body: good }), 404);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
    '%s of a POST is 405',
    async (method) => {
      const reply = await expectRefusal(rig.bytes({ method, path: '/addWin', body: good }), 405);
      expect(reply.headers.get('allow')).toBe('POST');
      expect(reply.headers.get('access-control-allow-origin')).toBeUndefined();
    },
  );

  test.each(['POST', 'PUT', 'OPTIONS'])('%s of a GET is 405', async (method) => {
    const reply = await expectRefusal(rig.bytes({ method, path: '/getOperatorSettings' }), 405);
    expect(reply.headers.get('allow')).toBe('GET');
  });

  test.each(['/addWin', '/getOperatorSettings', '/connect?token=t', '/status'])(
    'HEAD %s is 405: it would spend a token, or count, for a reply that nobody sees',
    async (path) => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const sent = httpRequest({ port: rig.port, method: 'HEAD', path }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        sent.on('error', reject).end();
      });
      expect(status).toBe(405);
      expect(rig.worked).toEqual([]);
    },
  );

  test('an absolute target is taken by its path (RFC 9112, 3.2.2)', async () => {
    const reply = await rig.send({ path: 'http://rgs.example/testPing', body: good });
    expect(reply.status).toBe(200);
  });

  test('a path in other letters, or with a slash at its end, is found', async () => {
    expect((await rig.send({ path: '/TESTPING', body: good })).status).toBe(200);
    expect((await rig.send({ path: '/testPing/', body: good })).status).toBe(200);
  });
});

describe('X-Request-Id (E2.5)', () => {
  test.each<[string, string | undefined]>([
    ['absent', undefined],
    ['empty', ''],
    ['129 characters', 'x'.repeat(129)],
    ['with a space', 'a b'],
    ['beyond ASCII', 'ü'],
    ['with a tab', 'a\tb'],
  ])('%s: 400 with 19, after the signature', async (_, id) => {
    const headers = { 'X-Request-Id': id };
    await expectRefusal(ping({ headers }), 400);
    await expectRefusal(ping({ headers, signedBody: 'other' }), 401, 1001);
  });

  test('twice: 400 with 19', async () => {
    await expectRefusal(ping({ more: [['X-Request-Id', 'another']] }), 400);
  });

  test('it is echoed, also with an error', async () => {
    const headers = { 'X-Request-Id': 'x'.repeat(128) };
    expect((await rig.raw(ping({ headers }))).headers.get('x-request-id')).toBe('x'.repeat(128));
    const refused = await rig.raw(ping({ headers, body: 'no' }));
    expect(refused.headers.get('x-request-id')).toBe('x'.repeat(128));
  });

  test('X-Response-Id is the client’s, or ours if it gave none', async () => {
    const own = await rig.raw(ping({ headers: { 'X-Response-Id': 'mine' } }));
    expect(own.headers.get('x-response-id')).toBe('mine');
    const [one, two] = [await rig.raw(ping()), await rig.raw(ping())];
    expect(one.headers.get('x-response-id')).toMatch(/^[\da-f-]{36}$/);
    expect(two.headers.get('x-response-id')).not.toBe(one.headers.get('x-response-id'));
  });

  test('an X-Response-Id with anything else in it is not echoed', async () => {
    const reply = await rig.raw(ping({ headers: { 'X-Response-Id': 'a b' } }));
    expect(reply.headers.get('x-response-id')).toMatch(/^[\da-f-]{36}$/);
  });

  test('with requireRequestId false it may be absent', async () => {
    const lenient = await createRig({ requireRequestId: false });
    try {
      const request = { path: '/testPing', body: good, headers: { 'X-Request-Id': undefined } };
      expect((await lenient.send(request)).status).toBe(200);
    } finally {
      await lenient.close();
    }
  });
});

describe('requests on one connection', () => {
  test('are answered one by one, in their order', async () => {
    const calls = ['a', 'b', 'c'].map((data) => ping({ body: `{"testData":"${data}"}` }));
    const { replies } = await exchange(rig.port, Buffer.concat(calls), 3);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(rig.worked.map(({ request }) => request)).toEqual(
      ['"a"', '"b"', '"c"'].map((testData) => ({ testData })),
    );
  });

  test('one hidden after another by two lengths reaches nothing', async () => {
    const hidden = ping({ body: '{"testData":"smuggled"}' });
    const outer = ping({
      body: Buffer.concat([Buffer.from('0\r\n\r\n'), hidden]),
      headers: { 'Content-Length': '4' },
      more: [['Transfer-Encoding', 'chunked']],
    });
    await exchange(rig.port, outer);
    expect(rig.worked).toEqual([]);
    await expectAlive();
  });
});
