import type { Dice } from '../../../lib/proof/subject/dice';
import {
  bodyOf,
  type Call,
  get,
  headersOf,
  honestSigner,
  type Item,
  newAmount,
  newCall,
  post,
  signedBy,
  signedPart,
} from './call';
import { type Expected, type Input, unauthenticated } from './input';
import type { Heard, Moment } from './moment';
import { gameCode, players, rivalId } from './terms';

/** A signed call, with one signed thing of it changed behind the signature (operator-api 4.1). */
type Alteration = (call: Call, dice: Dice) => Call;

function inItem(change: (item: Item, dice: Dice) => Item): Alteration {
  return (call, dice) => {
    // The first one is a debit and has an amount; an end has none.
    const at = dice.between(
      0,
      call.items.findLastIndex(({ amount }) => amount !== null),
    );
    const items = call.items.map((each, index) => (index === at ? change(each, dice) : each));
    return { ...call, items };
  };
}

function inAmount(change: (text: string, dice: Dice) => string): Alteration {
  return inItem((each, dice) => ({ ...each, amount: change(each.amount ?? '', dice) }));
}

function otherText(text: string, dice: Dice): string {
  const at = dice.between(0, text.length - 1);
  return dice.pick([
    `${text}${dice.between(0, 9)}`,
    `${dice.between(0, 9)}${text}`,
    text.slice(0, -1),
    text.slice(0, at) + (text.charAt(at) === '7' ? '8' : '7') + text.slice(at + 1),
    `${text} `,
    text.toUpperCase(),
    `${text}\u0301`,
  ]);
}

/** One digit more, less or other: never the same value. */
function otherValue(text: string, dice: Dice): string {
  const { text: another } = newAmount(dice);
  return dice.pick([
    another === text ? `${text.includes('.') ? text : `${text}.`}1` : another,
    `9${text}`,
    `${text.includes('.') ? text : `${text}.`}1`,
    `${text}e1`,
    `${text}e-1`,
    '0',
    '0.00',
    `-${text}`,
    '1e99',
  ]);
}

const added =
  (item: Item): Alteration =>
  (call, dice) => {
    const at = dice.between(0, call.items.length);
    return { ...call, items: [...call.items.slice(0, at), item, ...call.items.slice(at)] };
  };
const paid: Item = {
  type: 'credit',
  hash: 'added',
  amount: '1000',
  more: ',"currency":"EUR"',
};

const alterations: Readonly<Record<string, Alteration>> = {
  'the amount': inAmount(otherValue),
  'the amount, a digit more': inAmount((text) => (text.includes('.') ? `${text}1` : `${text}.5`)),
  'the amount, left out': inItem((each) => ({ ...each, amount: null })),
  'a hash': inItem((each, dice) => ({
    ...each,
    hash: distinct(each.hash, otherText(each.hash, dice)),
  })),
  'the order': (call) =>
    call.items.length === 1
      ? { ...call, items: [...call.items, paid] }
      : { ...call, items: call.items.toReversed() },
  'a credit more': added(paid),
  'an end more': added({ type: 'end', hash: 'added', amount: null, more: '' }),
  'the first again': (call) => ({ ...call, items: [...call.items, ...call.items.slice(0, 1)] }),
  'one less': (call) => ({ ...call, items: call.items.slice(0, -1) }),
  'two hashes swapped with their amounts in place': (call) => {
    const [first, second, ...rest] = call.items;
    if (first === undefined) return call;
    if (second === undefined) return { ...call, items: [{ ...first, hash: `${first.hash}x` }] };
    const swapped = [
      { ...first, hash: second.hash },
      { ...second, hash: first.hash },
    ];
    return { ...call, items: [...swapped, ...rest] };
  },
  'the round': (call, dice) => ({
    ...call,
    gameRound: distinct(call.gameRound, otherText(call.gameRound, dice)),
  }),
  'the player': (call) => ({
    ...call,
    playerId: players[(players.indexOf(call.playerId) + 1) % players.length] ?? '',
  }),
  'the player, spelled otherwise': (call, dice) => ({
    ...call,
    playerId: distinct(call.playerId, otherText(call.playerId, dice)),
  }),
  'the game': (call, dice) => ({
    ...call,
    gameCode: distinct(gameCode, otherText(gameCode, dice)),
  }),
  'player and game swapped': (call) => ({
    ...call,
    playerId: call.gameCode,
    gameCode: call.playerId,
  }),
};
const all = Object.entries(alterations);

function distinct(text: string, other: string): string {
  return other === text ? `${text}-` : other;
}

/** A call of which one signed thing was changed: answered 401, and moves nothing. */
export function alteredCall(dice: Dice, moment: Moment): Input {
  const call = newCall(dice, moment.number);
  const [name, alter] = dice.pick(all);
  const headers = headersOf(signedBy(honestSigner(dice), moment.timestamp, signedPart(call)));
  const body = bodyOf(alter(call, dice));
  return input(name, post(headers, body), unauthenticated);
}

/** A call whose amount is of the same value, in a shorter spelling than the signed one: only a longer one is tried (D1.5). */
export function alteredSpelling(dice: Dice, moment: Moment): Input {
  const call = newCall(dice, moment.number);
  const lengthened = inItem((each) => ({ ...each, amount: longer(each.amount ?? '') }))(call, dice);
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(lengthened));
  const request = post(headersOf(signed), bodyOf(call));
  return input('the amount, in a shorter spelling', request, unauthenticated);
}

/** The same value with a zero more. */
export function longer(text: string): string {
  return text.includes('.') ? `${text}0` : `${text}.0`;
}

/** A call whose X-H-AUTH-ID or X-H-TIMESTAMP was changed: both are signed. */
export function alteredHeader(dice: Dice, moment: Moment): Input {
  const call = newCall(dice, moment.number);
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(call));
  const { timestamp } = moment;
  const stamp = dice.pick([
    new Date(moment.atMs + dice.between(1, 1000)).toISOString(),
    timestamp.replace('Z', '+00:00'),
    timestamp.replace('Z', ''),
    timestamp.replace('Z', '0Z'),
    timestamp.replace(/\.\d+Z/, 'Z'),
  ]);
  const isStamp = dice.chance(70);
  const changed = isStamp ? { ...signed, timestamp: stamp } : { ...signed, authId: rivalId };
  const name = isStamp ? 'the timestamp' : 'the operator';
  return input(name, post(headersOf(changed), bodyOf(call)), unauthenticated);
}

/** A getBalance of which a parameter was changed (operator-api 4.2): externalSessionId alone is not signed. */
export function alteredQuestion(dice: Dice, moment: Moment): Input {
  const playerId = dice.pick(players);
  const isOfGame = dice.chance(50);
  const part = `#${playerId}#EUR${isOfGame ? `#${gameCode}` : ''}`;
  const headers = headersOf(signedBy(honestSigner(dice), moment.timestamp, part));
  const game = isOfGame ? `&gameCode=${gameCode}` : '';
  const other = players[(players.indexOf(playerId) + 1) % players.length] ?? '';
  const target = dice.pick([
    `/getBalance?playerId=${other}&currency=EUR${game}`,
    `/getBalance?playerId=${playerId}&currency=USD${game}`,
    `/getBalance?playerId=${playerId}&currency=EUR${isOfGame ? '' : `&gameCode=${gameCode}`}`,
    `/getBalance?playerId=${playerId}&currency=EUR&gameCode=other`,
    `/getBalance?playerId=${playerId}%20&currency=EUR${game}`,
    `/getBalance?playerId=EUR&currency=${playerId}${game}`,
  ]);
  return input('a question', get(headers, target), unauthenticated);
}

/** What of a call is not signed, changed (docs/security.md, "What is signed"). */
const unsigned: Readonly<Record<string, (heard: Heard) => string | null>> = {
  'debit to credit': ({ body }) => body.replace('"type":"debit"', '"type":"credit"'),
  'credit to debit': ({ body }) => replaced(body, '"type":"credit"', '"type":"debit"'),
  'credit to void': ({ body }) => replaced(body, '"type":"credit"', '"type":"void"'),
  'all to void': ({ body }) => body.replace(/"type":"(?:debit|credit|end)"/gi, '"type":"VOID"'),
  'the currency': ({ body }) => body.replace('"EUR"', '"USD"'),
  'whether it is the first debit': ({ body }) =>
    body.replace('"isFirstDebit":true', '"isFirstDebit":false'),
  'a serial': ({ body }) => body.replace('"isFirstDebit":true', '"isFirstDebit":true,"serial":"s"'),
  'a discount': ({ body }) =>
    body.replace('"isFirstDebit":true', '"isFirstDebit":true,"discountAmount":0.5'),
  'a reason': ({ body }) => body.replace('"isFirstDebit":true', '"isFirstDebit":true,"reason":"r"'),
  'the count': ({ body }) => body.replace(/"transactionCount":\d+/, '"transactionCount":99'),
  'white space': ({ body }) => `${body} `,
  // The signed string has no mark that tells amounts from hashes (D1.8).
  'an amount to a hash': ({ call }) =>
    bodyOf({
      ...call,
      items: call.items.flatMap(({ type, hash, amount, more }) => [
        { type, hash, amount: null, more },
        ...(amount === null ? [] : [{ type, hash: amount, amount: null, more }]),
      ]),
    }),
};
const allUnsigned = Object.entries(unsigned);

function replaced(body: string, from: string, to: string): string | null {
  return body.includes(from) ? body.replace(from, to) : null;
}

/**
 * A call that was heard, with something changed that is not signed: under a signature that was seen, another body has no
 * effect and is answered 401; voids alone, of debits that were answered, 503 (D1.8).
 */
export function alteredUnsigned(dice: Dice, moment: Moment): Input {
  const { heard } = moment.line;
  if (heard.length === 0) return alteredCall(dice, moment);
  const known = dice.pick(heard);
  const [name, change] = dice.pick(allUnsigned);
  const body = change(known);
  if (body === null || body === known.body) return alteredCall(dice, moment);
  const isVoids = name === 'all to void';
  const expected: Expected = isVoids ? { is: 'refused', status: 503, ids: null } : unauthenticated;
  return input(`heard before: ${name}`, post(known.headers, body), expected);
}

function input(name: string, request: Input['request'], expected: Expected): Input {
  return { kind: 'altered', api: 'wallet', name, request, expected };
}
