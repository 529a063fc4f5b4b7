import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { readClaim } from '../../../lib/protocol/authentication/claim';

const timestamp = '2026-03-01T12:00:00Z';
const at = { nowMs: Date.UTC(2026, 2, 1, 12), toleranceMs: 300_000 };

/** A request as Node parses these header lines. */
function requestWith(lines: readonly (readonly [string, string])[]): IncomingMessage {
  const headersDistinct: Record<string, string[]> = {};
  for (const [name, value] of lines) {
    (headersDistinct[name.toLowerCase()] ??= []).push(Buffer.from(value).toString('latin1'));
  }
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values]) => [name, values.join(', ')]),
  );
  return { headers, headersDistinct } as unknown as IncomingMessage;
}

const id = ['X-H-AUTH-ID', 'studio-1'] as const;
const text = Buffer.alloc(32, 'signature').toString('base64');
const signature = ['X-H-AUTH-SIG', text] as const;
const time = ['X-H-TIMESTAMP', timestamp] as const;

test('the three headers are read as received (D1.1, E2.1)', () => {
  expect(readClaim(requestWith([id, signature, time]), at)).toEqual({
    authId: 'studio-1',
    signature: text,
    timestamp,
  });
});

test('an id may hold a comma and letters beyond ASCII', () => {
  const odd = requestWith([['X-H-AUTH-ID', 'Grüße, Welt'], signature, time]);
  expect(readClaim(odd, at)?.authId).toBe('Grüße, Welt');
});

test.each([
  ['without the id', [signature, time]],
  ['without the signature', [id, time]],
  ['without the timestamp', [id, signature]],
  ['with two ids', [id, id, signature, time]],
  ['with two timestamps', [id, signature, time, time]],
  ['with an empty signature', [id, ['X-H-AUTH-SIG', ''], time]],
  ['with a signature that is too short', [id, ['X-H-AUTH-SIG', text.slice(4)], time]],
  ['with a signature that is no base64', [id, ['X-H-AUTH-SIG', `*${text.slice(1)}`], time]],
  ['with a timestamp too old', [id, signature, ['X-H-TIMESTAMP', '2026-03-01T11:54:59Z']]],
  ['with a timestamp too new', [id, signature, ['X-H-TIMESTAMP', '2026-03-01T12:05:01Z']]],
  ['with a timestamp that is none', [id, signature, ['X-H-TIMESTAMP', 'now']]],
] as const)('%s there is no claim (D1.1, D1.3, D1.4, E2.1)', (_, lines) => {
  expect(readClaim(requestWith(lines), at)).toBeNull();
});
