import type { Dice } from '../../../lib/proof/subject/dice';
import { longer } from './altered';
import {
  bodyOf,
  get,
  type GoodCall,
  headersOf,
  honestSigner,
  newCall,
  post,
  signedBy,
  signedPart,
} from './call';
import type { Expected, Input } from './input';
import type { RawRequest } from './raw-request';
import type { Moment } from './moment';
import { gameCode, players } from './terms';

/** A call that is taken, and moves money. */
export function goodCall(dice: Dice, moment: Moment): Input {
  const { line } = moment;
  const choice = dice.between(0, 9);
  if (choice === 0) return question(dice, moment);
  if (line.heard.length > 4 && choice === 1) {
    const known = dice.pick(line.heard);
    return input('again, byte for byte', post(known.headers, known.body), { is: 'idle' });
  }
  if (line.heard.length > 4 && choice === 2) return voided(dice, moment);
  const call = newCall(dice, moment.number);
  const [name, body, pieceBytes] = written(dice, call);
  const headers = headersOf(signedBy(honestSigner(dice), moment.timestamp, signedPart(call)));
  line.hear({ call, headers, body });
  const target = dice.chance(10) ? '/doTransactions?playerId=player-0&x=%' : undefined;
  const request = { ...post(headers, body, target), pieceBytes };
  return input(name, request, taken(call.playerId, call.units));
}

/** A body that says the same as the usual one, and the size of its pieces. */
function written(dice: Dice, call: GoodCall): readonly [string, string, number | null] {
  const plain = bodyOf(call);
  switch (dice.between(0, 9)) {
    case 0:
      return ['an amount spelled longer than signed (D1.5)', respelled(call), null];
    case 1:
      return ['in pieces', plain, dice.between(1, 64)];
    case 2:
      return ['with what is unknown', plain.replace('{', '{"further":[{"a":1e999}],'), null];
    case 3:
      return ['in capitals', plain.replace('"type":"debit"', '"type":"DEBIT"'), null];
    case 4:
      return ['with white space', plain.replaceAll(',', ' ,\r\n\t'), null];
    case 5:
      return ['with escapes', plain.replace('"hash"', String.raw`"\u0068ash"`), null];
    default:
      return ['plain', plain, null];
  }
}

/** All amounts with a zero more: the shortest form is what is signed. */
function respelled(call: GoodCall): string {
  const items = call.items.map((item) =>
    item.amount === null ? item : { ...item, amount: longer(item.amount) },
  );
  return bodyOf({ ...call, items });
}

/** The void of the first debit of a round takes back all of it (D5.2). */
function voided(dice: Dice, moment: Moment): Input {
  const known = dice.pick(moment.line.heard);
  moment.line.forget(known);
  const { call } = known;
  const [first] = call.items;
  const items = first === undefined ? [] : [{ ...first, type: 'void', more: ',"currency":"EUR"' }];
  const ofDebit = { ...call, items };
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(ofDebit));
  const request = post(headersOf(signed), bodyOf(ofDebit));
  return input('a void', request, taken(call.playerId, -call.units));
}

function question(dice: Dice, moment: Moment): Input {
  const playerId = dice.pick(players);
  return input('getBalance', balanceOf(playerId, dice, moment), taken(playerId, null));
}

/** A signed getBalance. */
export function balanceOf(playerId: string, dice: Dice, { timestamp }: Moment): RawRequest {
  const part = `#${playerId}#EUR#${gameCode}`;
  const headers = headersOf(signedBy(honestSigner(dice), timestamp, part));
  const query = `playerId=${playerId}&currency=EUR&gameCode=${gameCode}&externalSessionId=s`;
  return get(headers, `/getBalance?${query}`);
}

function taken(playerId: string, units: bigint | null): Expected {
  return { is: 'taken', playerId, units };
}

function input(name: string, request: RawRequest, expected: Expected): Input {
  return { kind: 'good', api: 'wallet', name, request, expected };
}
