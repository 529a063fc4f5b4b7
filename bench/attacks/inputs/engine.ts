import { createHmac } from 'node:crypto';
import type { Dice } from '../../../lib/proof/subject/dice';
import { mutated } from './bytes';
import { headersOf, post, type Signer, sign } from './call';
import { type Expected, type Input, type Kind, refusedWith, unauthenticated } from './input';
import type { Moment } from './moment';
import { wrongText } from './signatures';
import {
  clockToleranceMs,
  operatorId,
  providerId,
  providerSecret,
  rivalSecret,
  secret,
} from './terms';

const path = '/endGameRound';
/** What the service that stands behind it says to every round: GAMEROUNDNOTFOUND. */
const reached: Expected = { is: 'reached', id: 14 };

/** X-H-AUTH-SIG of a body: the body, `#` and the timestamp (E2.2). */
function signBody(body: string | Buffer, timestamp: string, key = providerSecret): string {
  return createHmac('sha256', key).update(body).update(`#${timestamp}`).digest('base64');
}

function send(
  body: string | Buffer,
  signature: string,
  { timestamp, number }: Pick<Moment, 'timestamp' | 'number'>,
  target = path,
): Input['request'] {
  const headers = headersOf({ authId: providerId, timestamp, signature });
  return post([...headers, 'X-Request-Id', `request-${number}`], body, target);
}

function input(kind: Kind, name: string, request: Input['request'], expected: Expected): Input {
  return { kind, api: 'engine', name, request, expected };
}

function bodyOf({ number }: Moment): string {
  return `{"token":"token-${number}","gameRound":"round-${number}"}`;
}

/** A call of the Game Engine API by a provider: its body is signed, byte for byte (E2). */
export function engineInput(kind: Kind, dice: Dice, moment: Moment): Input {
  const body = bodyOf(moment);
  switch (kind) {
    case 'good': {
      const request = send(body, signBody(body, moment.timestamp), moment);
      moment.line.hearOther('engine', request);
      return input(kind, 'a call', request, reached);
    }
    case 'forged':
      return forged(body, dice, moment);
    case 'altered':
      return altered(body, dice, moment);
    case 'bytes': {
      const bytes = mutated(body, dice);
      const isSame = bytes.equals(Buffer.from(body));
      const request = send(bytes, signBody(body, moment.timestamp), moment);
      return input(kind, 'of a signed body', request, isSame ? reached : unauthenticated);
    }
    default:
      return nonsense(body, dice, moment);
  }
}

function forged(body: string, dice: Dice, moment: Moment): Input {
  const { timestamp, atMs } = moment;
  const right = signBody(body, timestamp);
  const other: Signer = { authId: providerId, secret: providerSecret };
  const offMs = (clockToleranceMs + dice.between(1, 1e9)) * (dice.chance(50) ? 1 : -1);
  const stale = new Date(atMs + offMs).toISOString();
  const all: readonly (readonly [string, Input['request']])[] = [
    ['guessed', send(body, signBody(body, timestamp, `guessed-${dice.between(0, 1e9)}`), moment)],
    ['of the operator', send(body, signBody(body, timestamp, secret), moment)],
    ['of a rival', send(body, signBody(body, timestamp, rivalSecret), moment)],
    ['as an operator signs', send(body, sign(other, timestamp, '#round'), moment)],
    ['of no body', send(body, signBody('', timestamp), moment)],
    ['stale', send(body, signBody(body, stale), { ...moment, timestamp: stale })],
    [
      'doubled',
      post(
        [...headersOf({ authId: providerId, timestamp, signature: right }), 'X-H-AUTH-SIG', right],
        body,
        path,
      ),
    ],
    [
      'as another',
      post(headersOf({ authId: operatorId, timestamp, signature: right }), body, path),
    ],
  ];
  if (dice.chance(50)) {
    const [name, text] = wrongText(right, dice);
    return input('forged', name, send(body, text, moment), unauthenticated);
  }
  const [name, request] = dice.pick(all);
  return input('forged', name, request, unauthenticated);
}

function altered(body: string, dice: Dice, moment: Moment): Input {
  const heard = moment.line.heardOf('engine');
  if (heard.length > 0 && dice.chance(30)) {
    // The signature names neither the path nor the query (E2.6).
    const target = dice.pick([
      '/voidGameRound',
      '/getGameRoundInfo',
      `${path}?x=1`,
      '/EndGameRound',
    ]);
    const request = { ...dice.pick(heard), target };
    return input('altered', 'heard before: the target', request, unauthenticated);
  }
  const { timestamp, atMs } = moment;
  const right = signBody(body, timestamp);
  const later = new Date(atMs + dice.between(1, 1000)).toISOString();
  const [name, request] = dice.pick([
    ['the round', send(body.replace('"round-', '"round-9'), right, moment)],
    ['the token', send(body.replace('"token-', '"token-9'), right, moment)],
    ['a member more', send(body.replace('}', ',"amount":5}'), right, moment)],
    ['white space', send(`${body} `, right, moment)],
    ['the timestamp', send(body, right, { ...moment, timestamp: later })],
    ['the timestamp in the body', send(`${body}#${timestamp}`, right, moment)],
  ] as const);
  return input('altered', name, request, unauthenticated);
}

/** Signed as it should be, and no request: 400, id 19 (E2.4, E2.5). */
function nonsense(body: string, dice: Dice, moment: Moment): Input {
  const [name, odd] = dice.pick<readonly [string, string | Buffer]>([
    ['nothing', ''],
    ['a list', `[${body}]`],
    ['a word', 'null'],
    ['a key twice', body.replace('{', '{"token":"t",')],
    ['__proto__', body.replace('{', '{"__proto__":{},')],
    ['constructor', body.replace('{', '{"constructor":{},')],
    ['levels', body.replace('{', `{"x":${'['.repeat(100)}${']'.repeat(100)},`)],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(body.slice(0, 12)), Buffer.of(0xff), Buffer.from(body.slice(12))]),
    ],
    ['a byte order mark', `\ufeff${body}`],
    ['a NUL', `${body}\u0000`],
    ['a token that is none', body.replace(/"token":"[^"]+"/, '"token":5')],
    ['a round that is none', body.replace(/"gameRound":"[^"]+"/, '"gameRound":{"$gt":""}')],
    ['a round too long', body.replace('"round-', `"${'x'.repeat(1000)}`)],
    ['no round', body.replace(/,"gameRound":"[^"]+"/, '')],
    ['a text', JSON.stringify(body)],
  ]);
  const request = send(odd, signBody(odd, moment.timestamp), moment);
  return input('nonsense', name, request, refusedWith(19));
}
