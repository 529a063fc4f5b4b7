import { createHash, createHmac } from 'node:crypto';
import type { Dice } from '../../../lib/proof/subject/dice';
import {
  bodyOf,
  headersOf,
  honestSigner,
  newCall,
  post,
  type Signed,
  sign,
  signedPart,
} from './call';
import { type Input, unauthenticated } from './input';
import { wrongTexts } from './signatures';
import type { Moment } from './moment';
import {
  clockToleranceMs,
  droppedSecret,
  operatorId,
  players,
  providerSecret,
  rivalId,
  rivalSecret,
} from './terms';

/** A call as the operator would sign it. */
interface Original extends Signed {
  /** What is signed behind the timestamp. */
  readonly part: string;
}

/** Makes of a signed call one that nobody has signed: other headers. */
type Forgery = (original: Original, dice: Dice, moment: Moment) => readonly string[];

/** The forgery is another signature. */
function signature(forge: (original: Original, dice: Dice) => string): Forgery {
  return (original, dice) => {
    const { authId, timestamp } = original;
    return headersOf({ authId, timestamp, signature: forge(original, dice) });
  };
}

/** Signed as it should be, with this key. */
function signedWith(key: string): Forgery {
  return signature(({ authId, timestamp, part }) => sign({ authId, secret: key }, timestamp, part));
}

/** The request is signed as it should be, and its timestamp is no good one (D1.3). */
function stamped(stamp: (dice: Dice, atMs: number) => string): Forgery {
  return ({ authId, part }, dice, { atMs }) => {
    const timestamp = stamp(dice, atMs);
    const signer = honestSigner(dice);
    return headersOf({ authId, timestamp, signature: sign(signer, timestamp, part) });
  };
}

/** A header twice, missing, or empty (D1.1). */
function header(change: (name: string, value: string) => readonly string[]): Forgery {
  return (original, dice) => {
    const all = headersOf(original);
    const at = 2 * dice.between(0, 2);
    const changed = change(all[at] ?? '', all[at + 1] ?? '');
    return [...all.slice(0, at), ...changed, ...all.slice(at + 2)];
  };
}

const another = ['getBalance', 'assignPlayerFreerounds', 'getStats', 'getGameConfiguration'];

/** What the same operator signs of another operation (operator-api 4.2 to 4.5). */
function ofAnotherOperation({ authId, timestamp }: Original, dice: Dice): string {
  const player = dice.pick(players);
  const parts: Record<string, string> = {
    getBalance: `#${player}#EUR#game-bells`,
    assignPlayerFreerounds: `#${player}#game-bells#serial-1#EUR#1#10`,
    getStats: '',
    getGameConfiguration: '#game-bells#EUR',
  };
  const { secret } = honestSigner(dice);
  return sign({ authId, secret }, timestamp, parts[dice.pick(another)] ?? '');
}

const nobodies = ['CASINO', 'casino2', 'casin', '*', 'null', '__proto__', 'constructor', '0'];

const forgeries: Readonly<Record<string, Forgery>> = {
  'signed with a guessed secret': signature(({ authId, timestamp, part }, dice) =>
    sign({ authId, secret: `guessed-${dice.between(0, 1e9)}` }, timestamp, part),
  ),
  'signed with the secret that was dropped': signedWith(droppedSecret),
  'signed with the secret of another operator': signedWith(rivalSecret),
  'signed with the secret of a game provider': signedWith(providerSecret),
  'signed with the id': signedWith(operatorId),
  'signed with nothing': signedWith(''),
  'signed by another operator as itself': signature(({ timestamp, part }) =>
    sign({ authId: rivalId, secret: rivalSecret }, timestamp, part),
  ),
  'sent as another operator': (original) => headersOf({ ...original, authId: rivalId }),
  'sent as nobody': (original, dice) => {
    const { timestamp, signature: text } = original;
    return headersOf({ authId: dice.pick(nobodies), timestamp, signature: text });
  },
  'signed as nobody, with the secret': ({ timestamp, part }, dice) => {
    const authId = dice.pick(nobodies);
    const { secret } = honestSigner(dice);
    return headersOf({ authId, timestamp, signature: sign({ authId, secret }, timestamp, part) });
  },
  'keyed, and the secret not in the text': signature(({ authId, timestamp, part }, dice) =>
    createHmac('sha256', honestSigner(dice).secret)
      .update(`${authId}#${timestamp}${part}`)
      .digest('base64'),
  ),
  'a hash without a key': signature(({ authId, timestamp, part }) =>
    createHash('sha256').update(`${authId}#${timestamp}${part}`).digest('base64'),
  ),
  'another hash function': signature(({ authId, timestamp, part }, dice) => {
    const { secret } = honestSigner(dice);
    return createHmac('sha512', secret)
      .update(`${secret}#${authId}#${timestamp}${part}`)
      .digest()
      .subarray(0, 32)
      .toString('base64');
  }),
  'of another operation': signature(ofAnotherOperation),
  'of a body, as a provider signs': signature(({ timestamp, part }, dice) =>
    createHmac('sha256', honestSigner(dice).secret).update(`${part}#${timestamp}`).digest('base64'),
  ),
  ...Object.fromEntries(
    Object.entries(wrongTexts).map(([name, change]) => [
      name,
      signature(({ signature: text }, dice) => change(text, dice)),
    ]),
  ),
  empty: header((name) => [name, '']),
  missing: header(() => []),
  doubled: header((name, value) => [name, value, name, value]),
  'doubled, one of them wrong': header((name, value) => [name, 'other', name.toLowerCase(), value]),
  stale: stamped((dice, atMs) => iso(atMs - clockToleranceMs - dice.between(1, 1e9))),
  'from the future': stamped((dice, atMs) => iso(atMs + clockToleranceMs + dice.between(1, 1e9))),
  'a timestamp that is none': stamped((dice, atMs) =>
    dice.pick([
      String(atMs),
      new Date(atMs).toUTCString(),
      iso(atMs).slice(0, 10),
      iso(atMs).replace(/-\d\d-\d\dT/, '-02-30T'),
      `${iso(atMs)}Z`,
      `+${iso(atMs)}`,
      iso(atMs).replace('T', '  '),
      'now',
    ]),
  ),
};
const all = Object.entries(forgeries);

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A call that nobody has signed: answered 401, and moves nothing (D1.1 to D1.4). */
export function forgedCall(dice: Dice, moment: Moment): Input {
  const [name, forge] = dice.pick(all);
  const call = newCall(dice, moment.number);
  const signer = honestSigner(dice);
  const { timestamp } = moment;
  const part = signedPart(call);
  const original = {
    authId: operatorId,
    timestamp,
    part,
    // Costs an HMAC: only what needs it computes it.
    get signature() {
      return sign(signer, timestamp, part);
    },
  };
  const request = post(forge(original, dice, moment), bodyOf(call));
  return { kind: 'forged', api: 'wallet', name, request, expected: unauthenticated };
}
