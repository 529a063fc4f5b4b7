/**
 * JSON texts that cost a reader as much as they can, by what they are made of: the hostile tests and
 * `npm run bench:hostile` walk them all. Each is as long as it is asked to be, less a little.
 */

/** Makes the text of one shape, of at most so many characters. */
export type Shape = (length: number) => string;

/** Items with commas between them, as many as fit. */
function fill(length: number, open: string, item: (at: number) => string, close: string): string {
  const items: string[] = [];
  let left = length - open.length - close.length;
  for (let at = 0; ; at++) {
    const text = item(at);
    left -= text.length + 1;
    if (left < 0) return open + items.join(',') + close;
    items.push(text);
  }
}

const list = (length: number, item: (at: number) => string) => fill(length, '[', item, ']');
const object = (length: number, key: (at: number) => string, value = '1') =>
  fill(length, '{', (at) => `"${key(at)}":${value}`, '}');
const long = (length: number, open: string, piece: string, close: string) =>
  open + piece.repeat(Math.floor((length - open.length - close.length) / piece.length)) + close;

/** Array indexes that agree in their last 17 bits. */
const colliding = (at: number) => String(1_000_000_000 + at * 131_072);

/** Shapes of any JSON value. */
export const jsonShapes: Readonly<Record<string, Shape>> = {
  'one long number': (length) => long(length, '[', '7', ']'),
  'one number, zeros inside': (length) => long(length, '[1', '0', '1e0]'),
  'one number, zeros behind the point': (length) => long(length, '[0.', '0', '1]'),
  'one number, zeros at the end': (length) => long(length, '[1.', '0', ']'),
  'numbers of 1,000 digits': (length) => list(length, () => `1${'0'.repeat(998)}1`),
  'numbers of one digit': (length) => list(length, () => '1'),
  'numbers that are not spelled as usual': (length) => list(length, () => '1.0'),
  'numbers beyond every double': (length) => list(length, () => '1e999'),
  'empty arrays': (length) => list(length, () => '[]'),
  'arrays in arrays': (length) => list(length, () => '['.repeat(14) + ']'.repeat(14)),
  'arrays without end': (length) => '['.repeat(length),
  'empty objects': (length) => list(length, () => '{}'),
  'objects in objects': (length) => list(length, () => `${'{"a":'.repeat(14)}1${'}'.repeat(14)}`),
  'objects with a key of their own': (length) => list(length, (at) => `{"k${at}":1.0}`),
  'objects with twenty keys': (length) =>
    list(length, (at) => object(200, (key) => `k${at % 500}${key}`)),
  'many keys': (length) => object(length, (at) => `k${at}`),
  'many keys, each number kept as text': (length) => object(length, (at) => `k${at}`, '1.0'),
  'many keys that are indexes': (length) => object(length, String),
  'many keys that are indexes, falling': (length) => object(length, (at) => `${300_000 - at}`),
  'many keys that are indexes, in heaps': (length) =>
    object(length, (at) => `${(at >> 7) * 1300 + (at & 127)}`),
  'many keys that collide': (length) => object(length, colliding),
  'many keys that collide, each number kept': (length) => object(length, colliding, '1.0'),
  'many keys that begin alike': (length) =>
    object(length, (at) => 'k'.repeat(60) + String(at).padStart(6, '0')),
  'many keys with an escape': (length) => object(length, (at) => String.raw`\u006b${at}`),
  'a key twice, at the end': (length) =>
    `${object(length - 8, (at) => `k${at}`).slice(0, -1)},"k0":1}`,
  words: (length) => list(length, () => 'true'),
  'one long text': (length) => long(length, '["', 'x', '"]'),
  'one long text without end': (length) => long(length, '["', 'x', ''),
  'one text of escapes': (length) => long(length, '["', String.raw`\u00e9`, '"]'),
  'one text of backslashes': (length) => long(length, '["', String.raw`\\`, '"]'),
  'one text with a wrong escape at its end': (length) => long(length, '["', 'x', String.raw`\x"]`),
  'texts with an escape': (length) => list(length, () => String.raw`"\n"`),
  'empty texts': (length) => list(length, () => '""'),
  'texts beyond ASCII': (length) => list(length >> 1, () => '"é"'),
  'surrogate pairs': (length) => long(length >> 1, '["', '😀', '"]'),
  'white space': (length) => ' '.repeat(length),
  'line ends between items': (length) => list(length, () => '\n\n\n\n1'),
};

const head = '{"playerId":"p","gameCode":"g","gameRound":"r","transactionCount":1,"transactions":';
const call = (length: number, item: (at: number) => string) => fill(length, `${head}[`, item, ']}');
const amounts = (length: number, amount: string) =>
  call(length, (at) => `{"type":"credit","hash":"h${at}","amount":${amount}}`);

/** Shapes of a doTransactions body: what is signed of it is read, and the signature computed, as far as it comes. */
export const callShapes: Readonly<Record<string, Shape>> = {
  'an amount with zeros inside': (length) =>
    long(length, `${head}[{"type":"credit","hash":"h","amount":1`, '0', '1e0}]}'),
  'an amount of zeros': (length) =>
    long(length, `${head}[{"type":"credit","hash":"h","amount":0.`, '0', '}]}'),
  'amounts of 20,000 digits': (length) => amounts(length, `1${'0'.repeat(19_998)}1`),
  'amounts of 1,000 digits': (length) => amounts(length, `1${'0'.repeat(998)}1e0`),
  'amounts of 40 digits, zeros inside': (length) => amounts(length, `1${'0'.repeat(36)}1e0`),
  'amounts of 1e999': (length) => amounts(length, '1e999'),
  'amounts of 1e-999': (length) => amounts(length, '1e-999'),
  'amounts of 1e99': (length) => amounts(length, '1e99'),
  'amounts with a zero at the end': (length) => amounts(length, '10.50'),
  'transactions without an amount': (length) => call(length, () => '{"hash":"h"}'),
  'one long hash': (length) => long(length, `${head}[{"hash":"`, 'h', '"}]}'),
  'one long hash with # at its end': (length) => long(length, `${head}[{"hash":"`, 'h', '#"}]}'),
  'one long hash beyond ASCII': (length) => long(length >> 1, `${head}[{"hash":"`, 'é', '"}]}'),
  ...Object.fromEntries(
    Object.entries(jsonShapes).map(([name, shape]) => [
      `beside what is signed: ${name}`,
      (length: number) => `${head}[{"hash":"h"}],"more":${shape(length - head.length - 23)}}`,
    ]),
  ),
};
