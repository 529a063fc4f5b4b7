import type { Dice } from '../../../lib/proof/subject/dice';
import { bodyOf, get, headersOf, honestSigner, newCall, post, signedBy, signedPart } from './call';
import { type Expected, type Input, refusedWith } from './input';
import type { RawRequest } from './raw-request';
import type { Moment } from './moment';
import { gameCode, players } from './terms';

/** A body that is no call that could be read, whatever is signed: 400, id 19 (D1.7, D2.1). */
type Shape = (good: string, dice: Dice) => string | Buffer;

const largest = 256 * 1024;

const shapes: Readonly<Record<string, Shape>> = {
  nothing: () => '',
  'white space': () => ' \n\t ',
  'a thousand levels': (_, dice) => dice.pick(['[', '{"a":']).repeat(1000),
  'levels beside what is signed': (good) => before(good, `"x":${'['.repeat(50)}${']'.repeat(50)},`),
  'a key twice': (good) => before(good, '"playerId":"player-0",'),
  'a key twice in a transaction': (good) => good.replace('"amount":', '"amount":1,"amount":'),
  'a key twice, once escaped': (good) => before(good, String.raw`"player\u0049d":"player-0",`),
  'a key __proto__': (good) => before(good, '"__proto__":{"playerId":"player-0"},'),
  '__proto__ in a transaction': (good) =>
    good.replace('"type"', '"__proto__":{"amount":1000},"type"'),
  'an escaped __proto__': (good) => before(good, String.raw`"\u005f\u005fproto__":{},`),
  'a key constructor': (good) => before(good, '"constructor":{"prototype":{"x":1}},'),
  'a key prototype': (good) => before(good, '"prototype":{},'),
  'a byte order mark': (good) => `\ufeff${good}`,
  'UTF-16': (good) => Buffer.from(good, 'utf16le'),
  NULs: (_, dice) => Buffer.alloc(dice.between(1, 1000)),
  'a NUL behind it': (good) => `${good}\u0000`,
  'a NUL in an id': (good) => good.replace('player-', 'player-\u0000'),
  'a lone surrogate': (good) => good.replace('player-', String.raw`\ud800`),
  'invalid UTF-8': (good, dice) => around(good, dice.pick(broken), dice),
  'a number': (_, dice) => dice.pick(['1e999', '0', '-0', '1E400', '9'.repeat(5000)]),
  'a word': (_, dice) => dice.pick(['null', 'true', 'NaN', 'Infinity', 'undefined', '"text"']),
  'a list of calls': (good) => `[${good}]`,
  'two calls': (good) => good + good,
  'a call and a comma': (good) => `${good},`,
  'a trailing comma': (good) => `${good.slice(0, -1)},}`,
  'a comment': (good) => `/**/${good}`,
  'single quotes': (good) => good.replaceAll('"', "'"),
  'a form': () => 'playerId=player-0&gameCode=game-bells',
  XML: () =>
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
  'an amount with a plus': (good) => good.replace('"amount":', '"amount":+'),
  'an amount with a zero in front': (good) => good.replace('"amount":', '"amount":0'),
  'an amount of 41 digits': (good) => good.replace(/"amount":[\d.]+/, `"amount":${'1'.repeat(41)}`),
  'an amount of a hundred thousand digits': (good) =>
    good.replace(/"amount":[\d.]+/, `"amount":1${'0'.repeat(50_000)}`),
  'an exponent of three digits': (good) => good.replace(/"amount":[\d.]+/, '"amount":1e100'),
  'an amount as text': (good) => good.replace(/"amount":([\d.]+)/, '"amount":"$1"'),
  'an amount as a list': (good) => good.replace(/"amount":([\d.]+)/, '"amount":[$1]'),
  'an id as an object': (good) => good.replace(/"player-\d"/, '{"$gt":""}'),
  'an id as a number': (good) => good.replace(/"player-\d"/, '1'),
  'a hash as a list': (good) => good.replace(/"hash":("[^"]+")/, '"hash":[$1]'),
  'a hash as null': (good) => good.replace(/"hash":"[^"]+"/, '"hash":null'),
  'transactions as an object': (good) =>
    good.replace(/"transactions":\[.*\]/, '"transactions":{"length":1,"0":{}}'),
  'a transaction of null': (good) => good.replace('"transactions":[', '"transactions":[null,'),
  'no transactions': (good) => good.replace(/"transactions":\[.*\],/, ''),
  '#': (good) => good.replace('player-', 'player#'),
  'a line end in an id': (good) => good.replace('player-', String.raw`player\r\nX-Evil: 1`),
  'a thousand and one members': (good) =>
    before(good, Array.from({ length: 1001 }, (_, at) => `"x${at}":0,`).join('')),
};
const allShapes = Object.entries(shapes);

const broken = [
  Buffer.of(0xff, 0xfe),
  Buffer.of(0xc0, 0xaf),
  Buffer.of(0xed, 0xa0, 0x80),
  Buffer.of(0xf5, 0x80, 0x80, 0x80),
  Buffer.of(0xe2, 0x82),
];

function before(good: string, members: string): string {
  return good.replace('{', `{${members}`);
}

function around(good: string, bytes: Buffer, dice: Dice): Buffer {
  const at = dice.between(1, good.length - 1);
  return Buffer.concat([Buffer.from(good.slice(0, at)), bytes, Buffer.from(good.slice(at))]);
}

/** A body of a shape that no call has, under the headers of a signed call. */
export function oddBody(dice: Dice, moment: Moment): Input {
  const [name, shape] = dice.pick(allShapes);
  const { headers, body } = signedCall(dice, moment);
  return input(name, post(headers, shape(body, dice)), refusedWith(19));
}

function signedCall(dice: Dice, moment: Moment) {
  const call = newCall(dice, moment.number);
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(call));
  return { call, headers: headersOf(signed), body: bodyOf(call) };
}

/** A signed call that is sent as none, or not whole. */
type Sending = (
  good: RawRequest,
  dice: Dice,
) => { readonly request: RawRequest; readonly expected: Expected };

const refused = (status: number): Expected => ({ is: 'refused', status, ids: [19] });

function withHeader(good: RawRequest, name: string, value: string): RawRequest {
  const at = good.headers.indexOf(name);
  const rest = at < 0 ? good.headers : good.headers.toSpliced(at, 2);
  return { ...good, headers: [...rest, name, value] };
}

const types = [
  'text/plain',
  'application/jsonp',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'application/json,text/html',
  '',
];
const paths = [
  '/doTransactions%00',
  '/doTransactions/..',
  '/../doTransactions/x',
  '//doTransactions//x',
  '/doTransactions;x=1',
  '/%',
  '/%ff',
  '/%64oTransactions',
  '*',
  '?',
  '/',
  '',
  '/doTransactions/x',
];

const sendings: Readonly<Record<string, Sending>> = {
  'another content type': (good, dice) => ({
    request: withHeader(good, 'Content-Type', dice.pick(types)),
    expected: refused(415),
  }),
  'a content encoding': (good, dice) => ({
    request: withHeader(good, 'Content-Encoding', dice.pick(['gzip', 'br', 'x', 'gzip, identity'])),
    expected: refused(415),
  }),
  'a method': (good, dice) => ({
    request: {
      ...good,
      method: dice.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']),
    },
    expected: refused(405),
  }),
  'a path': (good, dice) => ({
    request: { ...good, target: dice.pick(paths) },
    expected: refused(404),
  }),
  'a length above the limit': (good) => ({
    request: withHeader(good, 'Content-Length', '999999999'),
    expected: refused(413),
  }),
  'an end before its end': (good, dice) => ({
    request: {
      ...good,
      // Also behind the last byte of the body: it is whole, and the request is not.
      cutAt: good.body.byteLength - (dice.chance(50) ? 0 : dice.between(1, good.body.byteLength)),
      pieceBytes: dice.between(10, 200),
    },
    expected: { is: 'gone' },
  }),
};
const allSendings = Object.entries(sendings);

/** A signed call that comes by another way than a call does (D2.1). */
export function oddRequest(dice: Dice, moment: Moment): Input {
  const { headers, body } = signedCall(dice, moment);
  if (dice.between(0, 2000) === 0) {
    return input('above 256 KiB', post(headers, body + ' '.repeat(largest)), refused(413));
  }
  const [name, send] = dice.pick(allSendings);
  const { request, expected } = send(post(headers, body), dice);
  return input(name, request, expected);
}

const queries: Readonly<Record<string, (query: string) => string>> = {
  'an escape that is none': (query) => `${query}&x=%`,
  'an escape that is no UTF-8': (query) => `${query}&x=%ff`,
  'half an escape': (query) => query.replace('player-', '%G'),
  'a parameter twice': (query) => `${query}&playerId=player-0`,
  'a parameter twice, once escaped': (query) => `${query}&player%49d=player-0`,
  'two hundred and one parameters': (query) =>
    query + Array.from({ length: 201 }, (_, at) => `&x${at}=`).join(''),
  'no player': (query) => query.replace(/playerId=[^&]*&/, ''),
  'a # in the player': (query) => query.replace('player-', 'player%23'),
  'a NUL in the player': (query) => query.replace('player-', 'player-%00'),
};
const allQueries = Object.entries(queries);

/** A signed getBalance with a query that cannot be read: 400, id 19 (D1.7, D9). */
export function oddQuery(dice: Dice, moment: Moment): Input {
  const [name, change] = dice.pick(allQueries);
  const playerId = dice.pick(players);
  const part = `#${playerId}#EUR#${gameCode}`;
  const headers = headersOf(signedBy(honestSigner(dice), moment.timestamp, part));
  const query = change(`playerId=${playerId}&currency=EUR&gameCode=${gameCode}`);
  return input(`a query with ${name}`, get(headers, `/getBalance?${query}`), refusedWith(19));
}

function input(name: string, request: RawRequest, expected: Expected): Input {
  return { kind: 'bytes', api: 'wallet', name, request, expected };
}
