import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readTraceparent, writeTraceparent } from '../../../lib/platform/tracing';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const good = `00-${traceId}-${spanId}-01`;

/** Hexadecimal digits, not all zero. */
function digits(length: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...'0123456789abcdef'.split('')), {
      minLength: length,
      maxLength: length,
    })
    .map((list) => list.join(''))
    .filter((text) => /[^0]/.test(text));
}

describe('a header is read as W3C Trace Context says', () => {
  test('version 00 names the trace, the span and whether it is sampled', () => {
    expect(readTraceparent(good)).toEqual({ traceId, spanId, traceFlags: 1 });
    expect(readTraceparent(`00-${traceId}-${spanId}-00`)).toMatchObject({ traceFlags: 0 });
  });

  test('of the flags only that of a sampled span is known', () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-ff`)).toMatchObject({ traceFlags: 1 });
    expect(readTraceparent(`00-${traceId}-${spanId}-fe`)).toMatchObject({ traceFlags: 0 });
  });

  test('a later version is read as far as it is known, and may have more behind a dash', () => {
    expect(readTraceparent(`cc-${traceId}-${spanId}-01`)).toMatchObject({ traceId, spanId });
    expect(readTraceparent(`01-${traceId}-${spanId}-01-what-comes`)).toMatchObject({ traceId });
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['two of them', `${good}, ${good}`],
    ['a list', [good]],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['more in version 00', `${good}-more`],
    ['more without a dash in a later version', `01-${traceId}-${spanId}-01more`],
    ['no trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['no span', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['capital letters', good.toUpperCase()],
    ['a short trace', `00-${traceId.slice(1)}-${spanId}-01`],
    ['a long trace', `00-${traceId}0-${spanId}-01`],
    ['a short span', `00-${traceId}-${spanId.slice(1)}-01`],
    ['no flags', `00-${traceId}-${spanId}`],
    ['one digit of flags', `00-${traceId}-${spanId}-1`],
    ['a letter that is no digit', good.replace('a', 'g')],
    ['white space', ` ${good}`],
    ['a line break at the end', `${good}\n`],
    ['a line break in a later version', `01-${traceId}-${spanId}-01-a\nb`],
    ['underscores', good.replaceAll('-', '_')],
    ['a very long one', `01-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`],
  ])('%s is ignored', (_, header) => {
    expect(readTraceparent(header)).toBeNull();
  });

  test('any text is read or ignored: none throws, and what is read has the form of ids', () => {
    const changed = fc
      .tuple(fc.nat(good.length - 1), fc.string({ maxLength: 3 }))
      .map(([at, text]) => good.slice(0, at) + text + good.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(fc.string(), changed), (text) => {
        const read = readTraceparent(text);
        if (read === null) return;
        expect(read.traceId).toMatch(/^[0-9a-f]{32}$/);
        expect(read.spanId).toMatch(/^[0-9a-f]{16}$/);
        expect([0, 1]).toContain(read.traceFlags);
      }),
    );
  });
});

test('what is written is read again as it was', () => {
  const span = fc.record({ traceId: digits(32), spanId: digits(16), traceFlags: fc.nat(1) });
  fc.assert(
    fc.property(span, (written) => {
      expect(readTraceparent(writeTraceparent(written))).toEqual(written);
    }),
  );
});

test('nothing is written for a span that is in no trace', () => {
  const none = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 };
  expect(writeTraceparent(none)).toBeNull();
  expect(writeTraceparent({ ...none, traceId: 'a\r\nSet-Cookie: b' })).toBeNull();
});
