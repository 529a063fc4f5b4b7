import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Secret, type SignedPart, verifySignature } from '../../../lib/protocol/signature';

const secret = 'verify-secret-0123456789';
const authId = 'acme';
const timestamp = '2026-03-01T12:00:00Z';

const text = (value: string): SignedPart => ({ name: 'hash', text: value, isAmount: false });
const amount = (value: string): SignedPart => ({ name: 'amount', text: value, isAmount: true });
const number = (value: string): SignedPart => ({ name: 'stake', text: value, isAmount: false });

/** The character after another one. */
function next(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 1);
}

/** The signature of a string after the secret, made by hand. */
function signatureOf(rest: string, key = secret): string {
  return createHmac('sha256', key).update(`${key}#acme#${timestamp}${rest}`).digest('base64');
}

function isAccepted(signature: string, parts: readonly SignedPart[], secrets = [secret]): boolean {
  const tried = secrets.map((one) => new Secret(one));
  return verifySignature(tried, { authId, timestamp, signature, parts });
}

describe('the amount in the signed string (D1.5)', () => {
  test.each([
    ['10.50', '10.50', true],
    ['10.50', '10.5', true],
    ['10.5', '10.5', true],
    ['10.5', '10.50', false],
    ['100', '100', true],
    ['100', '100.00', false],
    ['100.00', '100', true],
    ['1e2', '1e2', true],
    ['1e2', '100', true],
    ['0.10', '.1', false],
    ['0', '', true],
    ['0.00', '', true],
    ['-0', '', true],
    ['0e9', '', true],
  ])('sent as %s and signed as %j is accepted: %s', (sent, signed, accepted) => {
    const rest = `#h${signed === '' ? '' : `#${signed}`}`;
    expect(isAccepted(signatureOf(rest), [text('h'), amount(sent)])).toBe(accepted);
  });

  test('a zero that was signed is refused, however it was spelled', () => {
    for (const zero of ['0', '0.00']) {
      expect(isAccepted(signatureOf(`#h#${zero}`), [text('h'), amount(zero)])).toBe(false);
    }
  });

  test('all amounts of a call are spelled the one way or the other', () => {
    const parts = [text('a'), amount('1.50'), text('b'), amount('2.50')];
    expect(isAccepted(signatureOf('#a#1.50#b#2.50'), parts)).toBe(true);
    expect(isAccepted(signatureOf('#a#1.5#b#2.5'), parts)).toBe(true);
    expect(isAccepted(signatureOf('#a#1.5#b#2.50'), parts)).toBe(false);
  });

  test('a number that is no amount is signed as it stands, and a zero is signed too', () => {
    expect(isAccepted(signatureOf('#0'), [number('0')])).toBe(true);
    expect(isAccepted(signatureOf('#1.50'), [number('1.50')])).toBe(true);
    expect(isAccepted(signatureOf('#1.5'), [number('1.50')])).toBe(false);
  });
});

describe('the text of the signature (D1.4)', () => {
  const good = signatureOf('#h');
  const bytes = Buffer.from(good, 'base64');

  test('is canonical base64 of 32 bytes', () => {
    expect(isAccepted(good, [text('h')])).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['without its padding', good.slice(0, -1)],
    ['with more padding', `${good}=`],
    ['with a space before it', ` ${good}`],
    ['with a newline after it', `${good}\n`],
    ['with a newline inside', `${good.slice(0, 20)}\n${good.slice(20)}`],
    ['with bits too many in its last character', `${good.slice(0, 42)}${next(good.charAt(42))}=`],
    ['in base64url', bytes.toString('base64url')],
    ['in hexadecimal', bytes.toString('hex')],
    ['of 31 bytes', bytes.subarray(1).toString('base64')],
    ['of 33 bytes', Buffer.concat([bytes, Buffer.of(0)]).toString('base64')],
    ['twice', `${good}, ${good}`],
    ['with a character that base64 does not have', `*${good.slice(1)}`],
    ['in other letters', good.toLowerCase()],
    ['of zeros', Buffer.alloc(32).toString('base64')],
  ])('is refused %s', (_, signature) => {
    expect(isAccepted(signature, [text('h')])).toBe(false);
  });

  test('is refused with any one bit changed', () => {
    for (let bit = 0; bit < 256; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(isAccepted(changed.toString('base64'), [text('h')])).toBe(false);
    }
  });
});

describe('rotation (D1.2)', () => {
  const older = 'older-secret-0123456789';

  test('a request signed with any of the current secrets is accepted', () => {
    const both = [older, secret];
    expect(isAccepted(signatureOf('#h', older), [text('h')], both)).toBe(true);
    expect(isAccepted(signatureOf('#h', secret), [text('h')], both)).toBe(true);
  });

  test('a request signed with a secret that was taken away is refused', () => {
    expect(isAccepted(signatureOf('#h', older), [text('h')], [secret])).toBe(false);
    expect(isAccepted(signatureOf('#h', older), [text('h')], [])).toBe(false);
  });
});
