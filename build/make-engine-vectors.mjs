// Writes vectors/engine.json, or with --check fails where it is not what this script would write.
// It computes with node:crypto from strings written out below, and uses nothing of lib: the vectors are what lib is
// held against.
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../vectors/engine.json', import.meta.url));

const secret = 'vector-secret-0123456789abcdef';
const gameProviderId = 'studio-1';
const timestamp = '2026-03-01T12:00:00.000Z';

const description =
  'Test vectors for X-H-AUTH-SIG of the Game Engine API, in both directions, for any language (rule E2.9 of docs/rgs.md). A vector is a request: ' +
  '`call`, `method`, `gameProviderId` (X-H-AUTH-ID), `timestamp` (X-H-TIMESTAMP) and `signature` (X-H-AUTH-SIG), with ' +
  'the text of the `body` or of the `query` exactly as it is sent, or neither. `direction` is `toService` for a call of ' +
  'a game provider: `signed` is then the body, # and the timestamp, without the secret. It is `toProvider` for a call ' +
  'of the remote game server: `signed` then begins with the test secret. In both, signature = base64(HMAC-SHA256(key = ' +
  'UTF-8 of secret, message = UTF-8 of signed)). `valid` says whether a receiver that knows `secret` accepts the ' +
  'signature; `why` says what the vector shows. The secret is of no use anywhere: never put a real one into a file like ' +
  'this.';

/** A call of a provider; the body is signed as it stands. */
const toService = (call, why, body, more = {}) => ({
  direction: 'toService',
  call,
  method: call === 'getOperatorSettings' ? 'GET' : 'POST',
  why,
  body,
  signed: `${body ?? ''}#${timestamp}`,
  ...more,
});

/** A call of the remote game server; `rest` is what is signed after the timestamp. */
const toProvider = (call, why, { rest, ...message }, more = {}) => ({
  direction: 'toProvider',
  call,
  method: message.body === undefined ? 'GET' : 'POST',
  why,
  ...message,
  signed: `${secret}#${gameProviderId}#${timestamp}${rest}`,
  ...more,
});

const hello = '{"testData":"hello"}';
const spaced = '{ "testData": "hello" }';
const round = { body: '{"gameRound":"round-1","gameCode":"bells"}', rest: '#round-1' };
const configuration = 'gameCode=bells&currency=EUR&currencyMultiplier=1';

const cases = [
  toService('testPing', 'the body, # and the timestamp', hello),
  toService('testPing', 'white space in the body is signed', spaced),
  toService(
    'testPing',
    'letters beyond ASCII are signed as UTF-8',
    '{"testData":"Gr\u00fc\u00dfe"}',
  ),
  toService(
    'testPing',
    'a JSON escape is signed as it stands',
    String.raw`{"testData":"Gr\u00fc\u00dfe"}`,
  ),
  toService('testPing', 'a newline at the end of the body is signed', `${hello}\n`),
  toService('getOperatorSettings', 'without a body, # and the timestamp are signed', undefined),
  toService('getOperatorSettings', '{} in place of the empty body is accepted too', undefined, {
    signed: `{}#${timestamp}`,
  }),
  toProvider('getGameConfiguration', 'the currency alone is signed', {
    query: configuration,
    rest: '#EUR',
  }),
  toProvider('getGameResult', 'the round alone is signed', round),
  toProvider('doAutoClose', 'it signs what getGameResult signs', round),
  toProvider('health', 'nothing but the headers is signed', { rest: '' }),
  toProvider('certifiedfiles', 'nothing but the headers is signed', { rest: '' }),
  toService('testPing', 'a body written anew after it was signed', spaced, {
    signed: `${hello}#${timestamp}`,
    valid: false,
  }),
  toService('testPing', 'the secret in front, as in the Operator API', hello, {
    signed: `${secret}#${hello}#${timestamp}`,
    valid: false,
  }),
  toService('testPing', 'the timestamp left out', hello, { signed: hello, valid: false }),
  toService('testPing', 'no # before the timestamp', hello, {
    signed: `${hello}${timestamp}`,
    valid: false,
  }),
  toService('testPing', 'the timestamp before the body', hello, {
    signed: `${timestamp}#${hello}`,
    valid: false,
  }),
  toService('testPing', '{} in place of a body that is not empty', hello, {
    signed: `{}#${timestamp}`,
    valid: false,
  }),
  toService('testPing', 'a signature made with another secret', hello, {
    signWith: 'another-secret-0123456789abcdef',
    valid: false,
  }),
  toService('testPing', 'a signature in hexadecimal', hello, { encode: 'hex', valid: false }),
  toService('testPing', 'a signature in base64url', hello, { encode: 'base64url', valid: false }),
  toProvider(
    'getGameConfiguration',
    "the fields of the operator's call of this name",
    { query: configuration, rest: '#bells#EUR' },
    { valid: false },
  ),
  toProvider('doAutoClose', 'another round', { ...round, rest: '#round-2' }, { valid: false }),
  toProvider('getGameResult', 'the body, as a provider signs', round, {
    signed: `${round.body}#${timestamp}`,
    valid: false,
  }),
];

function toVector({ signed, valid = true, signWith = secret, encode = 'base64', ...request }) {
  const mac = createHmac('sha256', signWith).update(signed, 'utf8').digest();
  const { direction, call, method, why, body, query } = request;
  const signature = mac.toString(encode);
  return {
    direction,
    call,
    method,
    why,
    valid,
    secret,
    gameProviderId,
    timestamp,
    body,
    query,
    signed,
    signature,
  };
}

const text = `${JSON.stringify({ description, vectors: cases.map(toVector) }, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('vectors/engine.json is not what build/make-engine-vectors.mjs writes: run it.');
  process.exitCode = 1;
}
