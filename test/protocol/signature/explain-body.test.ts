import { createHash, createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { explainBodySignature, Secret } from '../../../lib/protocol/signature';

const SECRET = 'c2VjcmV0LW9mLXRoZS1zdHVkaW8=';
const TIMESTAMP = '2024-05-06T07:08:09.120Z';
const BODY = '{ "token": "t/1", "name": "Grüße",  "amount": 10.50 }';

/** Base64 of HMAC-SHA256, made without the code under test. */
function mac(signed: string | Buffer, key: string | Buffer = SECRET): string {
  return createHmac('sha256', key).update(signed).digest('base64');
}

function explain(signature: string, body: string | Buffer = BODY, timestamp = TIMESTAMP) {
  return explainBodySignature([new Secret('another-secret-of-it'), new Secret(SECRET)], {
    body: Buffer.from(body),
    authId: 'studio-1',
    timestamp,
    signature,
    target: '/gameapi/v2/testPing?gameCode=bells',
  });
}

test('a signature by the rule is explained without a deviation, and accepted (E2.2)', () => {
  expect(explain(mac(`${BODY}#${TIMESTAMP}`))).toEqual({
    kind: 'explained',
    deviations: [],
    accepted: true,
    secretIndex: 1,
  });
});

test('{} signed for an empty body is a deviation that is accepted (E2.3)', () => {
  expect(explain(mac(`{}#${TIMESTAMP}`), '')).toMatchObject({
    deviations: ['{} signed for the empty body'],
    accepted: true,
  });
  expect(explain(mac(`#${TIMESTAMP}`), '')).toMatchObject({ deviations: [], accepted: true });
});

describe('a single deviation is named (E2.2)', () => {
  const end = `#${TIMESTAMP}`;
  const compact = '{"token":"t/1","name":"Grüße","amount":10.50}';
  test.each([
    [
      'the JSON without white space: the body was written anew after it was signed',
      mac(`${compact}${end}`),
    ],
    [
      'the JSON with a space after each comma and colon',
      mac(`{"token": "t/1", "name": "Grüße", "amount": 10.50}${end}`),
    ],
    [
      'the JSON read and written anew, numbers too',
      mac(`${compact.replace('10.50', '10.5')}${end}`),
    ],
    [
      'the JSON indented by two spaces',
      mac(`{\n  "token": "t/1",\n  "name": "Grüße",\n  "amount": 10.5\n}${end}`),
    ],
    [
      'the JSON with its members sorted by name',
      mac(`{"amount":10.5,"name":"Grüße","token":"t/1"}${end}`),
    ],
    [
      String.raw`the JSON without white space, letters beyond ASCII as \u`,
      mac(`${compact.replace('üß', String.raw`\u00fc\u00df`)}${end}`),
    ],
    [
      String.raw`the JSON without white space, / as \/`,
      mac(`${compact.replace('t/1', String.raw`t\/1`)}${end}`),
    ],
    ['a newline after the body', mac(`${BODY}\n${end}`)],
    ['a byte order mark before the body', mac(`\uFEFF${BODY}${end}`)],
    ['{} in the place of the body', mac(`{}${end}`)],
    ['nothing in the place of the body', mac(end)],
    [
      'an object joined as [object Object]: the body was not written as JSON',
      mac(`[object Object]${end}`),
    ],
    [
      'the body in Latin-1 instead of UTF-8',
      mac(Buffer.concat([Buffer.from(BODY, 'latin1'), Buffer.from(end)])),
    ],
    [
      'the body read as Latin-1 and written as UTF-8',
      mac(Buffer.from(BODY).toString('latin1') + end),
    ],
    ['the SHA-256 of the body in hex', mac(createHash('sha256').update(BODY).digest('hex') + end)],
    ['path and query in the place of the body', mac(`/gameapi/v2/testPing?gameCode=bells${end}`)],
    ['the path in the place of the body', mac(`/gameapi/v2/testPing${end}`)],
    ['the query in the place of the body', mac(`gameCode=bells${end}`)],
    [
      'the secret and # in front of the body, as in the Operator API',
      mac(`${SECRET}#${BODY}${end}`),
    ],
    ['# and the secret at the end of the signed string', mac(`${BODY}${end}#${SECRET}`)],
    ['a newline at the end of the secret', mac(`${BODY}${end}`, `${SECRET}\n`)],
    [
      'the secret decoded from base64 to be the key',
      mac(`${BODY}${end}`, Buffer.from(SECRET, 'base64')),
    ],
    ['X-H-TIMESTAMP missing', mac(BODY)],
    ['X-H-TIMESTAMP before the body', mac(`${TIMESTAMP}#${BODY}`)],
    ['X-H-AUTH-ID and X-H-TIMESTAMP before the body', mac(`studio-1#${TIMESTAMP}#${BODY}`)],
    ['X-H-AUTH-ID after the body', mac(`${BODY}#studio-1${end}`)],
    ['X-H-AUTH-ID in the place of the body', mac(`studio-1${end}`)],
    ['body and timestamp joined without #', mac(`${BODY}${TIMESTAMP}`)],
    ['body and timestamp joined by a newline', mac(`${BODY}\n${TIMESTAMP}`)],
    ['body and timestamp joined by "."', mac(`${BODY}.${TIMESTAMP}`)],
    ['# at the end of the signed string', mac(`${BODY}${end}#`)],
    ['a newline at the end of the signed string', mac(`${BODY}${end}\n`)],
    ['X-H-TIMESTAMP signed without milliseconds', mac(`${BODY}#2024-05-06T07:08:09Z`)],
    ['X-H-TIMESTAMP signed in milliseconds since 1970', mac(`${BODY}#${Date.parse(TIMESTAMP)}`)],
    [
      'the signature in hex instead of base64',
      Buffer.from(mac(`${BODY}${end}`), 'base64').toString('hex'),
    ],
    ['white space around the signature', `${mac(`${BODY}${end}`)} `],
  ])('%s', (deviation, signature) => {
    expect(explain(signature)).toEqual({
      kind: 'explained',
      deviations: [deviation],
      accepted: false,
      secretIndex: 1,
    });
  });
});

test('the body without a newline that was sent after it is named', () => {
  expect(explain(mac(`${BODY.trim()}#${TIMESTAMP}`), `${BODY}\n`)).toMatchObject({
    deviations: ['the body without the white space around it'],
  });
});

test('three deviations together are named, and the spelling of the signature', () => {
  const compact = '{"token":"t/1","name":"Grüße","amount":10.50}';
  const signed = `${SECRET}#${compact}#2024-05-06T07:08:09Z`;
  const finding = explain(Buffer.from(mac(signed), 'base64').toString('hex'));
  expect(finding).toMatchObject({ kind: 'explained', accepted: false });
  expect(finding.kind === 'explained' ? finding.deviations : []).toHaveLength(4);
});

describe('what cannot be explained', () => {
  test('another secret leaves many variants tried', () => {
    const finding = explain(mac(`${BODY}#${TIMESTAMP}`, 'a-secret-of-nobody'));
    expect(finding).toMatchObject({ kind: 'unexplained' });
    const { variantsTried } = { variantsTried: 0, ...finding };
    expect(variantsTried).toBeGreaterThan(5000);
  });

  test.each([
    ['nothing', '', 'it is neither base64 nor hex'],
    ['SHA-1', createHmac('sha1', SECRET).update(BODY).digest('base64'), 'SHA-1 has 20'],
  ])('%s is no signature', (_, signature, reason) => {
    const finding = explain(signature);
    expect(finding.kind === 'malformed' ? finding.reason : '').toContain(reason);
  });

  test('a body that is not JSON, or is hostile, is explained as bytes', () => {
    for (const body of ['<html>', '['.repeat(10_000), '{"a":1,"a":2}', '{"__proto__":{}}']) {
      expect(explain(mac(`${body}\n#${TIMESTAMP}`), body)).toMatchObject({
        deviations: ['a newline after the body'],
      });
    }
  });

  test('a large body is hashed a limited number of times', () => {
    const body = JSON.stringify({ data: 'x'.repeat(250_000) });
    const finding = explain(mac('other'), body);
    const { variantsTried } = { variantsTried: 0, ...finding };
    expect(variantsTried).toBeLessThan(200);
  });
});

test('no finding holds the secret or the signed string', () => {
  const shown = inspect(explain(mac(`${SECRET}#${BODY}#${TIMESTAMP}`)), { depth: 9 });
  expect(shown).not.toContain(SECRET);
  expect(shown).not.toContain('Grüße');
});
