import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  findBodySigner,
  Secret,
  signatureHeaders,
  signBody,
} from '../../../lib/protocol/signature';

const secret = 'body-secret-0123456789';
const nowMs = Date.UTC(2026, 2, 1, 12);
const timestamp = '2026-03-01T12:00:00.000Z';

/** The signature of bytes, made by hand: the secret is the key alone. */
function signatureOf(body: Uint8Array, key = secret): string {
  return createHmac('sha256', key)
    .update(Buffer.concat([body, Buffer.from(`#${timestamp}`)]))
    .digest('base64');
}

test('what is signed is the bytes, # and the timestamp, keyed with the secret (E2.2)', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 16, maxLength: 200 })
    .filter((one) => one.trim() === one);
  fc.assert(
    fc.property(text, fc.uint8Array({ maxLength: 300 }), (key, body) => {
      expect(new Secret(key).macBody(body, timestamp)).toBe(signatureOf(body, key));
    }),
  );
});

test('the cost of a longer secret changes nothing of the signature (D1.1)', () => {
  const body = Buffer.from('{}');
  expect(new Secret(secret, 500).macBody(body, timestamp)).toBe(signatureOf(body));
});

test('a signed request has the three headers; an id beyond ASCII goes as UTF-8 (E2.1)', () => {
  const body = Buffer.from('{"testData":"hello"}');
  expect(signBody(new Secret(secret), 'Grüße', nowMs, body)).toEqual({
    [signatureHeaders.authId]: Buffer.from('Grüße').toString('latin1'),
    [signatureHeaders.timestamp]: timestamp,
    [signatureHeaders.signature]: signatureOf(body),
  });
});

describe('the signer of a body', () => {
  const body = Buffer.from('{"testData":"hello"}');
  const good = signatureOf(body);
  const [own, other] = [new Secret(secret), new Secret('other-secret-0123456789')];

  test('is any of the current secrets (E2.7, D1.2)', () => {
    const claim = { timestamp, signature: good, body };
    expect(findBodySigner([own, other], claim)).toBe(own);
    expect(findBodySigner([other, own], claim)).toBe(own);
    expect(findBodySigner([other], claim)).toBeNull();
    expect(findBodySigner([], claim)).toBeNull();
  });

  test.each([
    ['white space in the body', { body: Buffer.from('{"testData": "hello"}') }],
    ['no body', { body: Buffer.alloc(0) }],
    ['the timestamp spelled otherwise', { timestamp: '2026-03-01T12:00:00Z' }],
    ['a newline after the signature', { signature: `${good}\n` }],
    ['no padding', { signature: good.slice(0, -1) }],
    ['hexadecimal', { signature: Buffer.from(good, 'base64').toString('hex') }],
    ['nothing', { signature: '' }],
  ])('is none with %s (E2.2, D1.4)', (_, change) => {
    expect(findBodySigner([own], { timestamp, signature: good, body, ...change })).toBeNull();
  });

  test('is none with any one bit of the signature changed (D1.4)', () => {
    const bytes = Buffer.from(good, 'base64');
    for (let bit = 0; bit < 256; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const signature = changed.toString('base64');
      expect(findBodySigner([own], { timestamp, signature, body })).toBeNull();
    }
  });
});
