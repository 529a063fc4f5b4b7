import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { PreparedHmac } from '../../../lib/protocol/signature/prepared-hmac';
import { heldBuffers } from '../../support/array-buffers';

function expected(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

test('it is the HMAC-SHA256 of node:crypto, for keys and texts of any length and script', () => {
  const key = fc.uint8Array({ maxLength: 200 });
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(
    fc.property(key, text, fc.array(text, { maxLength: 4 }), (bytes, beginning, rests) => {
      const hmac = new PreparedHmac(bytes, beginning);
      for (const rest of rests) expect(hmac.digest(rest)).toBe(expected(bytes, beginning + rest));
    }),
    { numRuns: 2000 },
  );
});

test.each([0, 1, 63, 64, 65, 128, 1000])('a key of %i bytes is used as RFC 2104 says', (length) => {
  const key = Buffer.alloc(length, 0xaa);
  expect(new PreparedHmac(key, 'a').digest('b')).toBe(expected(key, 'ab'));
});

test('a text longer than any before, and a short one after it, are hashed whole and alone', () => {
  const key = Buffer.from('a key');
  const hmac = new PreparedHmac(key, 'start#');
  for (const length of [10, 4096, 4097, 300_000, 3, 0, 5000]) {
    const rest = '€'.repeat(length);
    expect(hmac.digest(rest)).toBe(expected(key, `start#${rest}`));
  }
});

test('half a surrogate pair is hashed as node:crypto hashes it', () => {
  const key = Buffer.from('a key');
  const rest = 'a\ud800b';
  expect(new PreparedHmac(key, '').digest(rest)).toBe(expected(key, rest));
});

test('a long text leaves no memory behind: what is kept is as large as a usual call needs', async () => {
  const hmacs = Array.from({ length: 4 }, (_, at) => new PreparedHmac(Buffer.of(at), 'start#'));
  const before = await heldBuffers(0);
  for (const hmac of hmacs) {
    expect(hmac.digest('1'.repeat(3_000_000))).toHaveLength(44);
    expect(hmac.digest('€'.repeat(1_000_000))).toHaveLength(44);
  }
  expect(await heldBuffers(before + 1_000_000)).toBeLessThanOrEqual(before + 1_000_000);
  expect(hmacs.every((hmac) => hmac.digest('') !== '')).toBe(true);
});
