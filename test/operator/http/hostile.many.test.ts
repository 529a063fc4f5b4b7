import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, RawConnection, type RawReply } from '../../network/raw-http';
import { bodyOf, createRig, debit, headersFor, mounts, type Rig, secret, signedRest } from './rig';

const good = bodyOf([debit()]);
const rest = signedRest(['round-1', 10]);

type Lines = readonly (readonly [string, string])[];

/** A request as it goes over the wire; its headers are those of a good call unless given. */
function raw(
  body: string | Uint8Array,
  {
    line = 'POST /doTransactions HTTP/1.1',
    headers = signed(),
    more = [] as Lines,
    length = true,
  } = {},
): Buffer {
  const bytes = Buffer.from(body as string);
  const lines = [['Host', 'wallet'], ...headers, ...more];
  if (length) lines.push(['Content-Length', String(bytes.length)]);
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  return Buffer.concat([Buffer.from(`${line}\r\n${head}\r\n\r\n`, 'latin1'), bytes]);
}

function signed(over = rest): Lines {
  return Object.entries(headersFor(over));
}

describe.each(mounts)('behind %s', (mount) => {
  let rig: Rig;
  let port: number;

  beforeAll(async () => {
    rig = await createRig({}, mount);
    port = (rig.server.address() as AddressInfo).port;
  });

  afterAll(() => rig.close());

  /** That the server lives, and that money still moves: a hundredth. */
  async function expectAlive(): Promise<void> {
    const answer = await rig.call([debit(0.01)], { gameRound: `alive-${Math.random()}` });
    expect(answer.status).toBe(200);
  }

  /** Sends it and expects one refusal in the form of the protocol; nothing of it moved. */
  async function expectRefusal(bytes: Uint8Array, status: number, id: number): Promise<RawReply> {
    const before = await rig.balance();
    const { replies } = await exchange(port, bytes);
    const [reply] = replies;
    if (reply === undefined) throw new Error('no answer');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(reply.body)).toEqual({
      errorCode: { id, msg: expect.any(String), clientmsg: expect.any(String) },
    });
    expect(reply.body).not.toMatch(/evil|at .*\.[jt]s|node:/);
    expect(reply.body).not.toContain(secret);
    expect(await rig.balance()).toBe(before);
    await expectAlive();
    return reply;
  }

  describe('each of the three headers there exactly once is let in, and nothing else (D1.1)', () => {
    const names = ['X-H-AUTH-ID', 'X-H-AUTH-SIG', 'X-H-TIMESTAMP'];
    const counts = [0, 1, 2].flatMap((a) =>
      [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])),
    );
    test.each(counts.filter((count) => count.join() !== '1,1,1'))(
      '%s, %s and %s times',
      async (...count) => {
        const lines = signed().flatMap(([name, value]) => {
          const at = names.indexOf(name);
          return at < 0
            ? [[name, value] as const]
            : Array.from({ length: count[at] ?? 0 }, () => [name, value] as const);
        }) as Lines;
        await expectRefusal(raw(good, { headers: lines }), 401, 1001);
      },
    );

    test('in any letter case, once each', async () => {
      const headers = signed(signedRest(['h', 1]).replace('round-1', 'case')).map(
        ([name, value]) => [name.toLowerCase(), value] as const,
      );
      const body = bodyOf([debit(1, { hash: 'h' })], { gameRound: 'case' });
      const { replies } = await exchange(port, raw(body, { headers }));
      expect(replies[0]?.status).toBe(200);
    });
  });

  const deep = '['.repeat(100_000);
  const bodies: readonly (readonly [string, string | Uint8Array])[] = [
    ['a hundred thousand levels', deep],
    ['levels inside a good call', good.replace('{', `{"evil":${'['.repeat(50)}${']'.repeat(50)},`)],
    ['a key twice', good.replace('{', '{"playerId":"evil",')],
    ['a key twice in a transaction', good.replace('"amount":10', '"amount":10,"amount":99')],
    ['__proto__', good.replace('{', '{"__proto__":{"evil":1},')],
    ['constructor', good.replace('{', '{"constructor":{"prototype":{"evil":1}},')],
    ['an escaped __proto__', good.replace('{', String.raw`{"\u005f\u005fproto__":{"evil":1},`)],
    [
      'invalid UTF-8',
      Buffer.concat([
        Buffer.from(good.slice(0, 14)),
        Buffer.of(0xff, 0xfe),
        Buffer.from(good.slice(14)),
      ]),
    ],
    [
      'UTF-8 that is overlong',
      Buffer.concat([
        Buffer.from(good.slice(0, 14)),
        Buffer.of(0xc0, 0xaf),
        Buffer.from(good.slice(14)),
      ]),
    ],
    [
      'an encoded surrogate',
      Buffer.concat([
        Buffer.from(good.slice(0, 14)),
        Buffer.of(0xed, 0xa0, 0x80),
        Buffer.from(good.slice(14)),
      ]),
    ],
    ['a byte order mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(good)])],
    ['UTF-16', Buffer.from(good, 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${good}`, 'utf16le')],
    ['NULs', Buffer.alloc(1000)],
    ['a NUL after it', `${good}\u0000`],
    ['a NUL in an id', good.replace('player-1', 'player-1\u0000')],
    ['a lone surrogate', good.replace('player-1', String.raw`\ud800`)],
    ['nothing', ''],
    ['white space', '   '],
    ['a number', '1e999'],
    ['null', 'null'],
    ['a text', '"evil"'],
    ['a list', '[]'],
    ['a list of calls', `[${good}]`],
    ['two calls', `${good}${good}`],
    ['a form', 'playerId=evil&gameCode=b'],
    [
      'XML',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    ],
    ['a thousand numbers', `[${'1e308,'.repeat(1000)}1]`],
    ['a very long number', `{"playerId":${'9'.repeat(100_000)}}`],
    ['ids that are objects', good.replace('"player-1"', '{"$gt":""}')],
    [
      'transactions that are an object',
      good.replace(/"transactions":\[.*\]/, '"transactions":{"length":1,"0":{}}'),
    ],
    ['an id with #', good.replace('player-1', 'player#1')],
    ['an id with a line end', good.replace('player-1', String.raw`player\r\nX-Evil: 1`)],
  ];

  test.each(bodies)('a body of %s is refused with 19', async (_, body) => {
    await expectRefusal(raw(body), 400, 19);
  });

  test('a prototype is not polluted by any of it', () => {
    expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
  });

  test('a body that says it is too large is refused with 413 before it came, and the connection ends (D2.1)', async () => {
    const head = raw('', { length: false, more: [['Content-Length', '999999999']] });
    const reply = await expectRefusal(head, 413, 19);
    expect(reply.headers.get('connection')).toBe('close');
  });

  test('a body that grows too large in pieces is refused with 413, and the connection ends (D2.1)', async () => {
    const connection = await RawConnection.open(port);
    connection.send(raw('', { length: false, more: [['Transfer-Encoding', 'chunked']] }));
    const piece = `${(32_768).toString(16)}\r\n${' '.repeat(32_768)}\r\n`;
    for (let at = 0; at < 9; at++) connection.send(piece);
    const { replies } = await connection.replies();
    expect(replies[0]?.status).toBe(413);
    expect(JSON.parse(replies[0]?.body ?? '')).toMatchObject({ errorCode: { id: 19 } });
    expect((await connection.replies(2)).closed).toBe(true);
    await expectAlive();
  });

  test('a body in pieces of a few bytes is refused with 413 once they are too many, and the connection ends (D2.1)', async () => {
    const connection = await RawConnection.open(port);
    connection.send(raw('', { length: false, more: [['Transfer-Encoding', 'chunked']] }));
    connection.send('1\r\n \r\n'.repeat(1025));
    const { replies } = await connection.replies();
    expect(replies[0]?.status).toBe(413);
    expect(replies[0]?.body).toContain('1024 pieces');
    expect((await connection.replies(2)).closed).toBe(true);
    await expectAlive();
  });

  test('a good call in 1,000 pieces is processed', async () => {
    const body = bodyOf([debit(1, { hash: 'pieces' })], { gameRound: 'pieces' }).replace(
      '{',
      `{${' '.repeat(1000 - 190)}`,
    );
    const headers = signed(signedRest(['pieces', 1]).replace('round-1', 'pieces'));
    const head = raw('', { headers, length: false, more: [['Transfer-Encoding', 'chunked']] });
    const pieces = Array.from(body, (character) => `1\r\n${character}\r\n`).join('');
    const { replies } = await exchange(
      port,
      Buffer.concat([head, Buffer.from(`${pieces}0\r\n\r\n`)]),
    );
    expect(body.length).toBeGreaterThan(900);
    expect(replies[0]?.status).toBe(200);
  });

  test.each([
    ['gzip', 'gzip'],
    ['an unknown one', 'evil'],
  ])('a content encoding of %s is refused with 415 (D2.1)', async (_, encoding) => {
    await expectRefusal(raw(good, { more: [['Content-Encoding', encoding]] }), 415, 19);
  });

  test('a good call in chunks of one byte, sent one by one, is processed', async () => {
    const body = bodyOf([debit(1, { hash: 'slow' })], { gameRound: 'slow' });
    const headers = signed(signedRest(['slow', 1]).replace('round-1', 'slow'));
    const connection = await RawConnection.open(port);
    connection.send(raw('', { headers, length: false, more: [['Transfer-Encoding', 'chunked']] }));
    for (const byte of Buffer.from(body)) {
      connection.send(Buffer.from(`1\r\n${String.fromCharCode(byte)}\r\n`, 'latin1'));
      await new Promise(setImmediate);
    }
    connection.send('0\r\n\r\n');
    const { replies } = await connection.replies();
    connection.abort();
    expect(replies[0]?.status).toBe(200);
  });

  test('good calls sent in one go are answered one by one, in their order', async () => {
    const calls = [1, 2, 3].map((at) => {
      const hash = `pipe-${at}`;
      const headers = signed(signedRest([hash, at]).replace('round-1', hash));
      return raw(bodyOf([debit(at, { hash })], { gameRound: hash }), { headers });
    });
    const { replies } = await exchange(port, Buffer.concat(calls), 3);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    replies.forEach(({ body }, at) => expect(body).toContain(`"pipe-${at + 1}"`));
  });

  test('a second request hidden behind a refused one moves nothing', async () => {
    const headers = signed(signedRest(['smuggled', 10]).replace('round-1', 'smuggled'));
    const hidden = raw(bodyOf([debit(10, { hash: 'smuggled' })], { gameRound: 'smuggled' }), {
      headers,
    });
    const before = await rig.balance();
    const both: Lines = [
      ['Transfer-Encoding', 'chunked'],
      ['Content-Length', '4'],
    ];
    const outer = raw(Buffer.concat([Buffer.from('0\r\n\r\n'), hidden]), {
      length: false,
      more: both,
    });
    await exchange(port, outer);
    expect(await rig.balance()).toBe(before);
    await expectAlive();
  });

  const broken: readonly (readonly [string, Uint8Array])[] = [
    [
      'a chunk size that is none',
      raw('zz\r\nevil\r\n0\r\n\r\n', { length: false, more: [['Transfer-Encoding', 'chunked']] }),
    ],
    [
      'a chunk longer than it says',
      raw('1\r\nevil\r\n0\r\n\r\n', { length: false, more: [['Transfer-Encoding', 'chunked']] }),
    ],
    [
      'a content length that is none',
      raw(good, { length: false, more: [['Content-Length', 'evil']] }),
    ],
    ['a content length below zero', raw(good, { length: false, more: [['Content-Length', '-1']] })],
    ['two content lengths', raw(good, { more: [['Content-Length', '3']] })],
    ['a header without a colon', raw(good, { more: [['evil\r\nmore', 'x']] })],
    ['a NUL in a header', raw(good, { more: [['X-More', 'a\u0000b']] })],
    ['a header of 100 KB', raw(good, { more: [['X-More', 'x'.repeat(100_000)]] })],
    [
      'a thousand headers of 100 bytes',
      raw(good, { more: Array.from({ length: 1000 }, () => ['X-More', 'x'.repeat(100)] as const) }),
    ],
    ['a method that does not exist', raw(good, { line: 'EVIL /doTransactions HTTP/1.1' })],
    ['a version that does not exist', raw(good, { line: 'POST /doTransactions HTTP/9.9' })],
    ['a NUL in the path', raw(good, { line: 'POST /do\u0000Transactions HTTP/1.1' })],
    ['a space in the path', raw(good, { line: 'POST /do Transactions HTTP/1.1' })],
    ['no host', Buffer.from(`POST /doTransactions HTTP/1.1\r\nContent-Length: 0\r\n\r\n`)],
    ['a TLS greeting', Buffer.from('1603010200010001fc0303', 'hex')],
    ['nothing but line ends', Buffer.from('\r\n'.repeat(100_000) + 'EVIL\r\n\r\n')],
  ];

  test.each(broken)('no HTTP: %s: ends with 4xx at most, and moves nothing', async (_, bytes) => {
    const before = await rig.balance();
    const { replies, closed } = await exchange(port, bytes);
    const [first] = replies;
    expect(closed || (first !== undefined && first.status >= 400 && first.status < 500)).toBe(true);
    for (const { body } of replies) expect(body).not.toMatch(/at .*\.[jt]s|node:/);
    expect(await rig.balance()).toBe(before);
    await expectAlive();
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'the method %s is answered 4xx in the form of the protocol',
    async (method) => {
      const { replies } = await exchange(
        port,
        raw('', { line: `${method} /doTransactions HTTP/1.1` }),
      );
      expect(replies[0]?.status).toBe(405);
      expect(JSON.parse(replies[0]?.body ?? '')).toMatchObject({ errorCode: { id: 19 } });
      await expectAlive();
    },
  );

  test.each([
    '/doTransactions%00',
    '/doTransactions%2F..',
    '/%64o%54ransactions/../x',
    '/../doTransactions/x',
    '//doTransactions//x',
    '/doTransactions;evil=1',
    '/%',
    '/%ff',
    '*',
    '?',
    '/doTransactions/evil',
  ])('a good call to the target %s is answered 4xx, and moves nothing', async (target) => {
    const before = await rig.balance();
    const { replies } = await exchange(port, raw(good, { line: `POST ${target} HTTP/1.1` }));
    expect([400, 401, 404, 405]).toContain(replies[0]?.status);
    expect(await rig.balance()).toBe(before);
    await expectAlive();
  });

  test.each(['http://wallet/doTransactions', 'http://evil/doTransactions?x=http://y'])(
    'a target in absolute form is answered, whatever the server makes of it: %s',
    async (target) => {
      const { replies } = await exchange(
        port,
        raw(good, { line: `POST ${target} HTTP/1.1`, headers: signed('#x') }),
      );
      expect([401, 404]).toContain(replies[0]?.status);
      await expectAlive();
    },
  );

  test('a query behind doTransactions changes nothing', async () => {
    const headers = signed(signedRest(['query', 1]).replace('round-1', 'query'));
    const body = bodyOf([debit(1, { hash: 'query' })], { gameRound: 'query' });
    const line = 'POST /doTransactions?playerId=evil&__proto__=1 HTTP/1.1';
    const { replies } = await exchange(port, raw(body, { line, headers }));
    expect(replies[0]?.status).toBe(200);
  });

  test.each([
    ['in the headers', raw(good).subarray(0, 60)],
    ['before the body', raw(good).subarray(0, raw(good).indexOf('\r\n\r\n') + 4)],
    ['in the body', raw(good).subarray(0, -5)],
  ])('a request that is broken off %s moves nothing', async (_, bytes) => {
    const before = await rig.balance();
    const connection = await RawConnection.open(port);
    connection.send(bytes);
    await new Promise(setImmediate);
    connection.abort();
    await expectAlive();
    expect(before - (await rig.balance())).toBe(100n);
  });

  test('a caller that goes away before the answer does not disturb the others, and the call stands', async () => {
    const hash = `gone-${mount}`;
    const headers = signed(signedRest([hash, 1]).replace('round-1', hash));
    const connection = await RawConnection.open(port);
    rig.store.fail('commit', 'hang', 'after', 1);
    connection.send(raw(bodyOf([debit(1, { hash })], { gameRound: hash }), { headers }));
    while (rig.store.hanging === 0) await new Promise(setImmediate);
    connection.abort();
    rig.store.heal();
    await expectAlive();
  });
});
