import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { Secret } from '../../../lib/protocol/signature';
import { runs } from '../../support/runs';

function expected(secret: string, rest: string): string {
  return createHmac('sha256', secret).update(`${secret}#${rest}`).digest('base64');
}

test('it is HMAC-SHA256 under the secret, over the secret and the rest, for any length and script', () => {
  const secret = fc
    .string({ unit: 'grapheme', minLength: 16, maxLength: 200 })
    .filter((text) => text.trim() === text);
  const rest = fc.string({ unit: 'grapheme', maxLength: 300 });
  const longest = fc.option(fc.nat({ max: 1000 }), { nil: undefined });
  fc.assert(
    fc.property(secret, fc.array(rest, { maxLength: 4 }), longest, (text, rests, costBytes) => {
      const known = new Secret(text, costBytes);
      for (const one of rests) expect(known.mac(one)).toBe(expected(text, one));
    }),
    { numRuns: runs(1000) },
  );
});

test.each([16, 63, 64, 65, 128, 1000])(
  'a secret of %i bytes is used as RFC 2104 says',
  (length) => {
    const text = 's'.repeat(length);
    expect(new Secret(text).mac('b')).toBe(expected(text, 'b'));
  },
);

test('half a surrogate pair is hashed as node:crypto hashes it', () => {
  const text = 'a-secret-of-16-bytes';
  expect(new Secret(text).mac('a\ud800b')).toBe(expected(text, 'a\ud800b'));
});

test('a long text, and a short one after it, are hashed whole and alone', () => {
  const text = 'a-secret-of-16-bytes';
  const known = new Secret(text);
  for (const length of [10, 1023, 1024, 1025, 300_000, 3, 0, 1024]) {
    const rest = '€'.repeat(length);
    expect(known.mac(rest)).toBe(expected(text, rest));
  }
});
