import type { Dice } from '../../../lib/proof/subject/dice';
import { get, headersOf, post, type Signer, signedBy, sign } from './call';
import { mutated } from './bytes';
import { type Expected, type Input, type Kind, refusedWith, unauthenticated } from './input';
import type { Moment } from './moment';
import { wrongText } from './signatures';
import { clockToleranceMs, providerId, providerSecret, secret } from './terms';

/** The RGS signs with the provider's own secret, under the provider's id (E2.8). */
const rgs: Signer = { authId: providerId, secret: providerSecret };

/** The calls, with what is signed of each, and what a provider that knows no round and no game answers. */
interface Asked {
  readonly target: string;
  /** Null for a GET. */
  readonly body: string | null;
  readonly part: string;
  readonly id: number;
}

function askedFor(dice: Dice, { number }: Moment): Asked {
  const body = `{"gameRound":"round-${number}","gameCode":"game-bells","language":"EN"}`;
  const query = 'gameCode=game-bells&currency=EUR&currencyMultiplier=6';
  return dice.chance(50)
    ? { target: '/getGameResult', body, part: `#round-${number}`, id: 14 }
    : { target: `/getGameConfiguration?${query}`, body: null, part: '#EUR', id: 9106 };
}

function send(headers: readonly string[], { target, body }: Pick<Asked, 'target' | 'body'>) {
  return body === null ? get(headers, target) : post(headers, body, target);
}

function input(kind: Kind, name: string, request: Input['request'], expected: Expected): Input {
  return { kind, api: 'provider', name, request, expected };
}

/** A call of the RGS to a game provider. */
export function providerInput(kind: Kind, dice: Dice, moment: Moment): Input {
  const asked = askedFor(dice, moment);
  const { timestamp } = moment;
  const signed = signedBy(rgs, timestamp, asked.part);
  switch (kind) {
    case 'good': {
      const request = send(headersOf(signed), asked);
      moment.line.hearOther('provider', request);
      return input(kind, 'a call', request, { is: 'reached', id: asked.id });
    }
    case 'forged':
      return forged(asked, signed.signature, dice, moment);
    case 'altered':
      return heardBefore(dice, moment) ?? altered(asked, headersOf(signed), dice);
    case 'bytes': {
      const body = mutated(`{"gameRound":"round-${moment.number}","gameCode":"g"}`, dice);
      const headers = headersOf({ ...signed, signature: sign(rgs, timestamp, '#other') });
      return input(kind, 'of a body', post(headers, body, '/getGameResult'), { is: 'shut', body });
    }
    default:
      return nonsense(dice, moment);
  }
}

function forged(asked: Asked, right: string, dice: Dice, { timestamp, atMs }: Moment): Input {
  const by = (name: string, headers: readonly string[]): Input =>
    input('forged', name, send(headers, asked), unauthenticated);
  const withText = (signature: string) => headersOf({ authId: providerId, timestamp, signature });
  switch (dice.between(0, 5)) {
    case 0:
      return by(
        'guessed',
        withText(sign({ ...rgs, secret: `guess-${atMs}` }, timestamp, asked.part)),
      );
    case 1:
      return by('of the operator', withText(sign({ ...rgs, secret }, timestamp, asked.part)));
    case 2: {
      const offMs = (clockToleranceMs + dice.between(1, 1e9)) * (dice.chance(50) ? 1 : -1);
      return by(
        'stale',
        headersOf(signedBy(rgs, new Date(atMs + offMs).toISOString(), asked.part)),
      );
    }
    case 3:
      return by('doubled', [...withText(right), 'x-h-auth-sig', right]);
    default: {
      const [name, text] = wrongText(right, dice);
      return by(name, withText(text));
    }
  }
}

/** A question that was heard, with something changed that is not signed: the signature is bound to all of it (E2.8). */
function heardBefore(dice: Dice, { line }: Moment): Input | null {
  const heard = line.heardOf('provider');
  if (heard.length === 0 || dice.chance(70)) return null;
  const { method, target, headers, body } = dice.pick(heard);
  const signed = headers.slice(2, 8);
  const [from, to] = dice.pick([
    ['bells', 'books'],
    ['game-', ''],
    ['"gameCode"', '"x":"y","gameCode"'],
    ['gameCode', 'x=y&gameCode'],
  ] as const);
  const isGet = method === 'GET';
  if (!(isGet ? target : body.toString()).includes(from)) return null;
  const request = isGet
    ? get(signed, target.replace(from, to))
    : post(signed, body.toString().replace(from, to), target);
  return input('altered', 'heard before: what is not signed', request, unauthenticated);
}

/** Something that is signed, changed: the round, or the currency (E2.8). */
function altered(asked: Asked, headers: readonly string[], dice: Dice): Input {
  const by = (name: string, more: Partial<Asked>): Input =>
    input('altered', name, send(headers, { ...asked, ...more }), unauthenticated);
  if (asked.body === null) {
    const currency = dice.pick(['USD', 'EURO', 'eur', 'E']);
    return by('the currency', { target: asked.target.replace('EUR', currency) });
  }
  const round = dice.pick(['"round-9', '"Round-', '"round_', '" round-']);
  return by('the round', { body: asked.body.replace('"round-', round) });
}

/** Signed as it should be, and no question: 400, id 19. */
function nonsense(dice: Dice, { timestamp, number }: Moment): Input {
  const body = `{"gameRound":"round-${number}","gameCode":"game-bells"}`;
  const [name, odd] = dice.pick([
    ['a list', `[${body}]`],
    ['a word', 'null'],
    ['nothing', ''],
    ['a key twice', body.replace('{', '{"gameRound":"r",')],
    ['__proto__', body.replace('{', '{"__proto__":{},')],
    ['levels', body.replace('{', `{"x":${'['.repeat(100)}${']'.repeat(100)},`)],
    ['#', body.replace('"round-', '"round#')],
    ['a round that is none', body.replace(/"round-\d+"/, '{}')],
    ['a NUL', `${body}\u0000`],
    ['no round', '{}'],
  ] as const);
  const headers = headersOf(signedBy(rgs, timestamp, `#round-${number}`));
  return input('nonsense', name, post(headers, odd, '/getGameResult'), refusedWith(19));
}
