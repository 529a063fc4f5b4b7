/**
 * The names under which a round keeps what is known of a hash. Short, since a round's memory is
 * mostly names: `t` and `v` alone stand for the hash that is the gameRound itself (a native first
 * debit), `T` and `V` for a UUID in 22 characters, `t` and `v` with more for any other hash.
 */

/** What a field holds: a debit, credit or end, or the void of a debit. */
export type FieldKind = 'transaction' | 'void';

const plainLetters = { transaction: 't', void: 'v' } as const;
const uuidLetters = { transaction: 'T', void: 'V' } as const;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The field of a round that holds what is known of a hash. */
export function fieldName(kind: FieldKind, hash: string, gameRound: string): string {
  if (hash === gameRound) return plainLetters[kind];
  const packed = packUuid(hash);
  return packed === null ? plainLetters[kind] + hash : uuidLetters[kind] + packed;
}

/** The hash that a field of a round is about; null where it is about the round. */
export function hashOfField(field: string, gameRound: string): string | null {
  const letter = field.charAt(0);
  const rest = field.slice(1);
  if (letter === 't' || letter === 'v') return rest === '' ? gameRound : rest;
  return letter === 'T' || letter === 'V' ? unpackUuid(rest) : null;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The two letters of base64url that twelve bits are. */
const letterPairs = Array.from(
  { length: 4096 },
  (_, bits) => letters.charAt(bits >> 6) + letters.charAt(bits & 63),
);
/** The four bits that a digit is, by its character code. */
const digitBits = new Uint8Array(128);
for (let bits = 0; bits < 16; bits++) digitBits[bits.toString(16).charCodeAt(0)] = bits;
/** Where the digits of a UUID are, without the last two. */
const digitPlaces = Uint8Array.from(
  'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxx'.matchAll(/x/g),
  ({ index }) => index,
);

/**
 * A UUID in lower case as 22 characters, its bytes in base64url; null for any other text. Three
 * digits make two characters: twice as fast as by way of a Buffer, and each call has a few.
 */
export function packUuid(text: string): string | null {
  if (!uuidForm.test(text)) return null;
  let packed = '';
  for (let at = 0; at < digitPlaces.length; at += 3) {
    const first = (bitsAt(text, digitPlaces[at]) << 8) | (bitsAt(text, digitPlaces[at + 1]) << 4);
    packed += letterPairs[first | bitsAt(text, digitPlaces[at + 2])];
  }
  return packed + letterPairs[(bitsAt(text, 34) << 8) | (bitsAt(text, 35) << 4)];
}

function bitsAt(text: string, place = 0): number {
  return digitBits[text.charCodeAt(place)] ?? 0;
}

function unpackUuid(packed: string): string {
  const hex = Buffer.from(packed, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
