import { hash } from 'node:crypto';
import { JsonSyntaxError, parseJson } from '../json/parse';
import {
  type Aspects,
  type Joining,
  right,
  timestampSpellings,
  type Variant,
  wrong,
  wrongKeys,
} from './explain-variants';
import type { SecretForm } from './secret';

/** Position of the secret in the signed string; `nowhere` is the right one (E2.2). */
type SecretPlace = 'none' | 'front' | 'end';

/** What of a request may have been signed, besides the body. */
interface SignedAround {
  readonly authId: string;
  readonly timestamp: string;
}

/** Orders what is signed, and leaves out the rest. */
type BodyArrangement = (body: Buffer, around: SignedAround) => readonly (Buffer | string)[];

/** One way to sign a body. */
export interface BodyWay {
  readonly body: Buffer;
  readonly timestamp: string;
  readonly key: SecretForm;
  readonly place: SecretPlace;
  readonly arrangement: BodyArrangement;
  readonly joining: Joining;
}

/** The ways to sign this body, aspect by aspect; the right one is the first of each. */
export function bodyWays(body: Uint8Array, timestamp: string, target: string): Aspects<BodyWay> {
  return {
    body: bodySpellings(Buffer.from(body), target),
    timestamp: timestampSpellings(timestamp),
    key: [right('plain'), ...wrongKeys],
    place: places,
    arrangement: arrangements,
    joining: joinings,
  };
}

const places: readonly Variant<SecretPlace>[] = [
  right('none'),
  wrong('front', 'the secret and # in front of the body, as in the Operator API'),
  wrong('end', '# and the secret at the end of the signed string'),
];

const arrangements: readonly Variant<BodyArrangement>[] = [
  right((body, { timestamp }) => [body, timestamp]),
  wrong((body) => [body], 'X-H-TIMESTAMP missing'),
  wrong((body, { timestamp }) => [timestamp, body], 'X-H-TIMESTAMP before the body'),
  wrong(
    (body, { authId, timestamp }) => [authId, timestamp, body],
    'X-H-AUTH-ID and X-H-TIMESTAMP before the body',
  ),
  wrong((body, { authId, timestamp }) => [authId, body, timestamp], 'X-H-AUTH-ID before the body'),
  wrong((body, { authId, timestamp }) => [body, authId, timestamp], 'X-H-AUTH-ID after the body'),
  wrong(
    (body, { authId, timestamp }) => [body, timestamp, authId],
    'X-H-AUTH-ID after X-H-TIMESTAMP',
  ),
  wrong((_, { authId, timestamp }) => [authId, timestamp], 'X-H-AUTH-ID in the place of the body'),
];

const joinings: readonly Variant<Joining>[] = [
  right({ separator: '#', end: '' }),
  wrong({ separator: '', end: '' }, 'body and timestamp joined without #'),
  wrong({ separator: '\n', end: '' }, 'body and timestamp joined by a newline'),
  ...['.', ':', '|', '&', ',', '-', ' '].map((separator) =>
    wrong({ separator, end: '' }, `body and timestamp joined by ${JSON.stringify(separator)}`),
  ),
  wrong({ separator: '#', end: '#' }, '# at the end of the signed string'),
  wrong({ separator: '#', end: '\n' }, 'a newline at the end of the signed string'),
];

/** What may have been signed in the place of the bytes that were sent; the bytes first. */
function bodySpellings(body: Buffer, target: string): Variant<Buffer>[] {
  const text = body.toString('utf8');
  const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
  const candidates: readonly (readonly [Buffer | string, string])[] = [
    ...jsonSpellings(text),
    [`${text}\n`, 'a newline after the body'],
    [`${text}\r\n`, 'a carriage return and newline after the body'],
    [text.trim(), 'the body without the white space around it'],
    [`\uFEFF${text}`, 'a byte order mark before the body'],
    ['{}', body.byteLength === 0 ? '{} signed for the empty body' : '{} in the place of the body'],
    ['', 'nothing in the place of the body'],
    ['null', 'null in the place of the body'],
    ['undefined', 'undefined in the place of the body'],
    ['[object Object]', 'an object joined as [object Object]: the body was not written as JSON'],
    [JSON.stringify(text), 'the body as a JSON text, in quotes'],
    [Buffer.from(text, 'latin1'), 'the body in Latin-1 instead of UTF-8'],
    [body.toString('latin1'), 'the body read as Latin-1 and written as UTF-8'],
    [body.toString('base64'), 'the body in base64'],
    [hash('sha256', body, 'hex'), 'the SHA-256 of the body in hex'],
    [hash('sha256', body, 'base64'), 'the SHA-256 of the body in base64'],
    [hash('md5', body, 'hex'), 'the MD5 of the body in hex'],
    [target, 'path and query in the place of the body'],
    [target.split('?')[0] ?? '', 'the path in the place of the body'],
    [query, 'the query in the place of the body'],
  ];
  const seen = new Set([body.toString('latin1')]);
  const found = [right(body)];
  for (const [spelled, deviation] of candidates) {
    const bytes = typeof spelled === 'string' ? Buffer.from(spelled, 'utf8') : spelled;
    const key = bytes.toString('latin1');
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(wrong(bytes, deviation));
  }
  return found;
}

/** The same JSON as other writers spell it; none if the body is not the JSON of an API. */
function jsonSpellings(text: string): readonly (readonly [string, string])[] {
  const value = valueOf(text);
  if (value === undefined) return [];
  const compact = separated(text, ',', ':');
  const spaced = separated(text, ', ', ': ');
  return [
    [compact, 'the JSON without white space: the body was written anew after it was signed'],
    [spaced, 'the JSON with a space after each comma and colon'],
    [JSON.stringify(value), 'the JSON read and written anew, numbers too'],
    [JSON.stringify(value, null, 2), 'the JSON indented by two spaces'],
    [JSON.stringify(value, null, 4), 'the JSON indented by four spaces'],
    [JSON.stringify(value, null, '\t'), 'the JSON indented by tabs'],
    [JSON.stringify(sorted(value)), 'the JSON with its members sorted by name'],
    [escaped(compact), String.raw`the JSON without white space, letters beyond ASCII as \u`],
    [escaped(spaced), String.raw`the JSON with spaces, letters beyond ASCII as \u`],
    [compact.replaceAll('/', String.raw`\/`), String.raw`the JSON without white space, / as \/`],
    [
      escaped(compact.replaceAll('/', String.raw`\/`)),
      String.raw`the JSON without white space, / as \/ and letters beyond ASCII as \u`,
    ],
  ];
}

/** The value of the text, which is shallow if the strict parser takes it; undefined otherwise. */
function valueOf(text: string): unknown {
  try {
    parseJson(text);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The text with other white space between its values, which stay as they are. */
function separated(text: string, comma: string, colon: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s",:]+|[,:]/g) ?? [];
  return tokens.map((token) => (token === ',' ? comma : token === ':' ? colon : token)).join('');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function escaped(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
