import { expect, test } from '@jest/globals';

import { crc32 } from '../../../lib/rgs/journal/line';

test.each([
  ['', 0x00000000],
  ['123456789', 0xcbf43926],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
])('the checksum of "%s" is the CRC-32 of zlib', (text, checksum) => {
  const bytes = Buffer.from(text);
  expect(crc32(bytes)).toBe(checksum);
  for (let at = 0; at <= bytes.length; at++) {
    expect(crc32(bytes.subarray(at), crc32(bytes.subarray(0, at)))).toBe(checksum);
  }
});
