/**
 * The names under which a round keeps what is known of a hash. Short, because names are most of a round's
 * memory: `t` and `v` alone for the hash that is the gameRound itself (a native first debit), `T` and `V`
 * for a UUID in 22 characters, `t` and `v` with more for any other hash.
 */

/** The content of a field: a debit, credit or end, or the void of a debit. */
type FieldKind = 'transaction' | 'void';

const plainLetters = { transaction: 't', void: 'v' } as const;
const uuidLetters = { transaction: 'T', void: 'V' } as const;

/** The field of a round that holds what is known of a hash. */
export function fieldName(kind: FieldKind, hash: string, gameRound: string): string {
  if (hash === gameRound) return plainLetters[kind];
  const packed = packUuid(hash);
  return packed === null ? plainLetters[kind] + hash : uuidLetters[kind] + packed;
}

/** The hash of a round's field; null if the field is about the round. */
export function hashOfField(field: string, gameRound: string): string | null {
  const letter = field.charAt(0);
  const rest = field.slice(1);
  if (letter === 't' || letter === 'v') return rest === '' ? gameRound : rest;
  return letter === 'T' || letter === 'V' ? unpackUuid(rest) : null;
}

/** A hash inside a value: without spaces and commas, a UUID in short form. */
export function packHash(hash: string): string {
  const packed = packUuid(hash);
  return packed === null
    ? plainLetters.transaction + encodeURIComponent(hash)
    : uuidLetters.transaction + packed;
}

/** The hash of a text of {@link packHash}. */
export function unpackHash(text: string): string {
  const rest = text.slice(1);
  if (text.startsWith(uuidLetters.transaction)) return unpackUuid(rest);
  return rest.includes('%') ? decodeURIComponent(rest) : rest;
}

const letterCodes = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const [dash, dashPlaces] = [0x2d, [8, 13, 18, 23]] as const;
/** The four bits of a hexadecimal digit, by its character code; more than four bits for any other character. */
const digitBits = new Uint8Array(128).fill(0xff);
for (let bits = 0; bits < 16; bits++) digitBits[bits.toString(16).charCodeAt(0)] = bits;
/** Where the digits of a UUID are. */
const digitPlaces = Uint8Array.from(
  'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.matchAll(/x/g),
  ({ index }) => index,
);
const packedBytes = Buffer.alloc(22);

/**
 * A UUID in lower case as 22 characters, its bytes in base64url; null for any other text. Each call has a
 * few, so this creates no Buffer.
 */
export function packUuid(text: string): string | null {
  if (text.length !== 36) return null;
  for (const place of dashPlaces) if (text.charCodeAt(place) !== dash) return null;
  let seen = 0;
  for (let digit = 0, to = 0; to < packedBytes.length; digit += 3, to += 2) {
    const first = bitsAt(text, digit);
    const second = bitsAt(text, digit + 1);
    const third = digit === 30 ? 0 : bitsAt(text, digit + 2);
    seen |= first | second | third;
    packedBytes[to] = letterCodes[((first << 2) | (second >> 2)) & 63] ?? 0;
    packedBytes[to + 1] = letterCodes[(((second & 3) << 4) | third) & 63] ?? 0;
  }
  return seen > 15 ? null : packedBytes.toString('latin1');
}

function bitsAt(text: string, digit: number): number {
  return digitBits[text.charCodeAt(digitPlaces[digit] ?? 0)] ?? 0xff;
}

function unpackUuid(packed: string): string {
  const hex = Buffer.from(packed, 'base64url').toString('hex');
  const [first, last] = [hex.slice(0, 8), hex.slice(20)];
  return `${first}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${last}`;
}
