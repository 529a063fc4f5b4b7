import { gzipSync } from 'node:zlib';

/** Bytes of a hostile body: what many servers read by default, 100 KB, and no more. */
const length = 90_000;

/** Makes a body from a valid message. */
export type Shape = (body: string) => string | Uint8Array;

type NamedShape = readonly [what: string, of: Shape];

/** The message with one more member, as long as it gets. */
export const beside =
  (value: string): Shape =>
  (body) =>
    `${body.slice(0, -1)},"more":${value}}`;

/** The message with another text for its amounts. */
const withAmount =
  (text: string): Shape =>
  (body) =>
    body.replace(/"amount":[\d.]+/g, `"amount":${text}`);

/** Lists in lists, this deep. */
export function listsInLists(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function fill(open: string, item: (at: number) => string, close: string): string {
  const items: string[] = [];
  for (let at = 0, left = length; left > 0; at++) {
    const text = item(at);
    left -= text.length + 1;
    items.push(text);
  }
  return open + items.join(',') + close;
}

/** Array indexes that agree in their last 17 bits. */
const colliding = (at: number) => String(1_000_000_000 + at * 131_072);

/** Bodies that cost a reader as much as they can, by what they are made of. */
export const hostileShapes: Readonly<Record<string, readonly NamedShape[]>> = {
  nesting: [
    ['lists in lists', beside(listsInLists(length / 2))],
    ['objects in objects', beside(`${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`)],
    ['lists without end', () => '['.repeat(length)],
  ],
  members: [
    ['many keys', beside(fill('{', (at) => `"k${at}":1.0`, '}'))],
    ['many keys that collide', beside(fill('{', (at) => `"${colliding(at)}":1`, '}'))],
    ['many empty objects', beside(fill('[', () => '{}', ']'))],
    ['many keys of one name', beside(fill('{', () => '"k":1', '}'))],
  ],
  numbers: [
    ['an amount of 90,000 digits', withAmount('7'.repeat(length))],
    ['an amount with 90,000 zeros inside', withAmount(`1${'0'.repeat(length)}1e0`)],
    ['an amount of 1e999999999', withAmount('1e999999999')],
    ['an amount of 1e-999999999', withAmount('1e-999999999')],
    ['many numbers of 1,000 digits', beside(fill('[', () => `1${'0'.repeat(998)}1`, ']'))],
  ],
  texts: [
    ['a text of escapes', beside(`"${String.raw`\u00e9`.repeat(length / 6)}"`)],
    ['a text of backslashes', beside(`"${String.raw`\\`.repeat(length / 2)}"`)],
    ['a text without end', (body) => `${body.slice(0, -1)},"more":"${'x'.repeat(length)}`],
    ['half a pair of surrogates', beside(String.raw`"\ud83c"`)],
    ['a hash of 90,000 letters', (body) => body.replace(/"hash":"/, `$&${'h'.repeat(length)}`)],
  ],
  transactions: [
    [
      'a thousand transactions',
      (body) => body.replace(/"transactions":\[(\{.*?\})\]/s, (_, one: string) => manyOf(one)),
    ],
    [
      'transactions that are not objects',
      (body) =>
        body.replace(/"transactions":\[\{.*?\}\]/s, () => fill('"transactions":[', () => '7', ']')),
    ],
    ['transactions that are a text', (body) => body.replace(/\[\{.*?\}\]/s, () => '"debit"')],
    ['a transaction that is null', (body) => body.replace(/\[\{.*?\}\]/s, () => '[null]')],
  ],
};

function manyOf(one: string): string {
  return `"transactions":[${Array.from({ length: 1000 }, () => one).join(',')}]`;
}

/** So many bytes, as white space after the message. */
export function padded(body: string, bytes: number): string {
  return body + ' '.repeat(bytes);
}

/** A few KB that are 8 MB when a server unpacks them. */
export function packed(body: string): Uint8Array {
  return gzipSync(padded(body, 8 * 1024 * 1024));
}
