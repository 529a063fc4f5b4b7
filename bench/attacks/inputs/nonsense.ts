import type { Dice } from '../../../lib/proof/subject/dice';
import {
  bodyOf,
  type Call,
  get,
  headersOf,
  honestSigner,
  type Item,
  newCall,
  post,
  signedBy,
  signedPart,
} from './call';
import { type Expected, type Input, refusedWith } from './input';
import type { Moment } from './moment';
import { gameCode, players, secret } from './terms';

/** A call that the operator itself signs, and what the rules say to it. */
interface Nonsense {
  readonly expected: Expected;
  readonly make: (call: Call, dice: Dice, moment: Moment) => Call;
  /** `transactionCount`, as it is written; their number unless given. */
  readonly count?: (call: Call, dice: Dice) => string;
}

const euro = ',"currency":"EUR"';
const idle: Expected = { is: 'idle' };

/** The first transaction changed. */
function first(ids: readonly number[], change: (item: Item, dice: Dice) => Item): Nonsense {
  const make = (call: Call, dice: Dice): Call => {
    const [head, ...rest] = call.items;
    return head === undefined ? call : { ...call, items: [change(head, dice), ...rest] };
  };
  return { expected: refusedWith(...ids), make };
}

function amounts(...texts: readonly string[]): Nonsense {
  return first([19], (item, dice) => ({ ...item, amount: dice.pick(texts) }));
}

function counted(count: (call: Call, dice: Dice) => string, id = 16): Nonsense {
  return { expected: refusedWith(id), make: (call) => call, count };
}

/** The one transaction is this one. */
function only(expected: Expected, item: (number: number, dice: Dice) => Item): Nonsense {
  const make = (call: Call, dice: Dice, { number }: Moment): Call => ({
    ...call,
    items: [item(number, dice)],
  });
  return { expected, make };
}

function named(
  ids: readonly number[],
  change: (call: Call, dice: Dice) => Partial<Call>,
): Nonsense {
  return {
    expected: refusedWith(...ids),
    make: (call, dice) => ({ ...call, ...change(call, dice) }),
  };
}

/** In a round that was heard of: one that is known, and not voided. */
function known(
  ids: readonly number[],
  change: (known: Call, number: number) => readonly Item[],
): Nonsense {
  return {
    expected: refusedWith(...ids),
    make: (call, dice, { line, number }) => {
      if (line.heard.length === 0)
        return { ...call, playerId: 'nobody', items: change(call, number) };
      const { call: round } = dice.pick(line.heard);
      return { ...round, items: change(round, number) };
    },
  };
}

const strangers = [
  'nobody',
  '../../player-0',
  'player-0\u200b',
  'PLAYER-0',
  'player-0 ',
  ' player-0',
  '*',
  '%',
  '{player-0}',
  '{}:',
  'player-0:balance',
  "' OR 1=1 --",
  '😀',
  'e\u0301',
  '\u202eplayer-0',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(128),
];

const nonsense: Readonly<Record<string, Nonsense>> = {
  'no transactions': named([19], () => ({ items: [] })),
  'a count that is not theirs': counted((call, dice) =>
    String(call.items.length + dice.between(1, 9)),
  ),
  'a count of another type': counted((call, dice) =>
    dice.pick([
      `"${call.items.length}"`,
      'null',
      'true',
      '[]',
      '{}',
      `${call.items.length}.5`,
      '-1',
    ]),
  ),
  'a type that there is not': first([19], (item, dice) => ({
    ...item,
    type: dice.pick(['bet', 'DEBIT ', 'debits', '', 'deb\\u0131t', 'toString', '__proto__']),
  })),
  'an amount that is none': amounts('-1', '-0.0001', '1e99', '1.00001', '0.00009', '1e-5', '1E+50'),
  'an amount out of range': amounts('900719925474.0992', '900719925475', '1e17', '9'.repeat(40)),
  'no amount': first([19], (item) => ({ ...item, amount: null })),
  'no currency': first([19], (item) => ({ ...item, more: ',"isFirstDebit":true' })),
  'a currency that is none': first([19], (item, dice) => ({
    ...item,
    more: `,"currency":${dice.pick(['"eur"', '"EU"', '"EURO"', '"€"', '5', '{}', '["EUR"]', 'true'])}`,
  })),
  'a currency without an account': named([9002], ({ items }, dice) => {
    const more = `,"currency":"${dice.pick(['USD', 'ZZZ', 'AAA'])}"`;
    return { items: items.map((item) => ({ ...item, more })) };
  }),
  'more than there is': first([9001], (item) => ({ ...item, amount: '900719925473' })),
  'a free play that costs': first([19], (item) => ({
    ...item,
    more: `${euro},"freePlayUsed":true`,
  })),
  'a serial that costs': first([19], (item) => ({ ...item, more: `${euro},"serial":"s"` })),
  'a flag that is none': first([19], (item, dice) => ({
    ...item,
    more: `${euro},"isFirstDebit":${dice.pick(['1', '"yes"', '[]', '{}', '""'])}`,
  })),
  'a discount above the amount': first([19], (item) => ({
    ...item,
    amount: '1',
    more: `${euro},"discountAmount":2`,
  })),
  'a hash of three capitals': first([19], (item, dice) => ({
    ...item,
    hash: dice.pick(['EUR', 'ABC']),
  })),
  'a hash too long': first([19], (item) => ({ ...item, hash: 'h'.repeat(129) })),
  'an empty hash': first([19], (item) => ({ ...item, hash: '' })),
  '# in a hash': first([19], (item) => ({ ...item, hash: `${item.hash}#1` })),
  'a control character in a hash': first([19], (item, dice) => ({
    ...item,
    hash: item.hash + dice.pick(['\n', '\r', '\u0000', '\u001b[31m', '\u007f', '\u0085']),
  })),
  'a key twice': first([19], (item) => ({ ...item, more: `${item.more},"type":"credit"` })),
  'a polluting key': first([19], (item, dice) => ({
    ...item,
    more: `${item.more},"${dice.pick(['__proto__', 'constructor', 'prototype'])}":{"amount":1}`,
  })),
  'an end with money': only(refusedWith(19), (number) => ({
    type: 'end',
    hash: `end-${number}`,
    amount: '5',
    more: euro,
  })),
  'an end of a round that never began': only(refusedWith(15), (number) => ({
    type: 'end',
    hash: `end-${number}`,
    amount: null,
    more: '',
  })),
  'a credit of a round that never began': only(refusedWith(15), (number) => ({
    type: 'credit',
    hash: `credit-${number}`,
    amount: '1000',
    more: euro,
  })),
  'a follow-up debit of a round that never began': only(refusedWith(15), (number) => ({
    type: 'debit',
    hash: `debit-${number}`,
    amount: '1',
    more: `${euro},"isFirstDebit":false`,
  })),
  'a void of nothing': only(idle, (number, dice) => ({
    type: dice.pick(['void', 'VOID', 'Void']),
    hash: `never-${number}`,
    amount: dice.pick(['5', null]),
    more: euro,
  })),
  'a free play': only(idle, (number) => ({
    type: 'debit',
    hash: `free-${number}`,
    amount: null,
    more: `${euro},"isFirstDebit":true,"freePlayUsed":true,"serial":"serial-1"`,
  })),
  'a player that there is not': named([1], (_, dice) => ({ playerId: dice.pick(strangers) })),
  'the secret as player': named([1], () => ({ playerId: secret })),
  'an id too long': named([19], (_, dice) => {
    const long = 'x'.repeat(dice.pick([129, 1000]));
    return dice.pick([{ playerId: long }, { gameRound: long }, { gameCode: long }]);
  }),
  'an empty id': named([19], (_, dice) =>
    dice.pick([{ playerId: '' }, { gameRound: '' }, { gameCode: '' }]),
  ),
  'a second first debit': known([1, 12], (_, number) => [
    { type: 'debit', hash: `second-${number}`, amount: '1', more: `${euro},"isFirstDebit":true` },
  ]),
  'a known hash with other money': known([1, 37], ({ items }) =>
    items.slice(0, 1).map((item) => ({ ...item, amount: `9${item.amount ?? ''}` })),
  ),
  'a known hash of another type': known([1, 15, 37], ({ items }) =>
    items.slice(0, 1).map((item) => ({ ...item, type: 'credit', more: euro })),
  ),
};
const all = Object.entries(nonsense);

/** A call that is signed as it should be, and says what no service would say. */
export function signedNonsense(dice: Dice, moment: Moment): Input {
  if (dice.chance(8)) return signedQuestion(dice, moment);
  if (dice.between(0, 3000) === 0) return tooMany(dice, moment);
  const [name, { make, expected, count }] = dice.pick(all);
  const call = make(newCall(dice, moment.number), dice, moment);
  const body = bodyOf(call, count?.(call, dice));
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(call));
  return input(name, post(headersOf(signed), body), expected);
}

/** More than 500 transactions (D2.1). */
function tooMany(dice: Dice, moment: Moment): Input {
  const call = newCall(dice, moment.number);
  const items = Array.from({ length: 501 }, (_, at) => ({
    type: 'credit',
    hash: `many-${moment.number}-${at}`,
    amount: '1',
    more: euro,
  }));
  const many = { ...call, items };
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(many));
  return input('501 transactions', post(headersOf(signed), bodyOf(many)), refusedWith(19));
}

/** A getBalance that asks for nothing that there is: 400 (D9). */
function signedQuestion(dice: Dice, moment: Moment): Input {
  const isStranger = dice.chance(50);
  const playerId = isStranger ? dice.pick(strangers) : dice.pick(players);
  const currency = isStranger ? 'EUR' : dice.pick(['eur', 'USD', '', 'EURO', '€']);
  const part = `#${playerId}#${currency}#${gameCode}`;
  const query = `playerId=${encodeURIComponent(playerId)}&currency=${encodeURIComponent(currency)}&gameCode=${gameCode}`;
  const signed = signedBy(honestSigner(dice), moment.timestamp, part);
  const request = get(headersOf(signed), `/getBalance?${query}`);
  return input('a question', request, { is: 'refused', status: 400, ids: null });
}

function input(name: string, request: Input['request'], expected: Expected): Input {
  return { kind: 'nonsense', api: 'wallet', name, request, expected };
}
