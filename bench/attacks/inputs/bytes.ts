import type { Dice } from '../../../lib/proof/subject/dice';
import { bodyOf, headersOf, honestSigner, newCall, post, signedBy, signedPart } from './call';
import type { Expected, Input } from './input';
import { forgedCall } from './forged';
import type { Moment } from './moment';

/** What is put into a body: signs of JSON, words of the protocol, and what a parser may stumble on. */
const fragments: readonly Buffer[] = [
  ...String.raw`" { } [ ] , : \ # 0 1 .0 e1 - 1e999 debit credit void end VOID EUR USD true null 00
  "amount":1, "hash":"x", "__proto__":{}, "serial":"s", "isFirstDebit":true, ,{"type":"end","hash":"e"}
  [[[[[[[[[[[[[[[[[ \u0000 \ud800 \u005f 😀 "transactionCount":2, "playerId":"player-1", "reason":"r",`.split(
    /\s+/,
  ),
  ' ',
  '\n',
  '\t',
  '\u0000',
  '\ufeff',
  '\u2028',
]
  .map((text) => Buffer.from(text))
  .concat([
    Buffer.of(0xff),
    Buffer.of(0xc0, 0xaf),
    Buffer.of(0xed, 0xa0, 0x80),
    Buffer.of(0xf4, 0x90, 0x80, 0x80),
    Buffer.of(0x80),
  ]);

type Change = (bytes: Buffer, at: number, dice: Dice) => Buffer;

const changes: readonly Change[] = [
  // A bit.
  (bytes, at, dice) => {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.between(0, 7));
    return bytes;
  },
  // A byte.
  (bytes, at, dice) => {
    bytes[at] = dice.between(0, 255);
    return bytes;
  },
  // A cut in the middle.
  (bytes, at, dice) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + dice.between(1, 12))]),
  // A cut at the end.
  (bytes, at) => bytes.subarray(0, at),
  // A repetition.
  (bytes, at, dice) =>
    Buffer.concat([bytes.subarray(0, at + dice.between(1, 40)), bytes.subarray(at)]),
  // An insertion, in place of a few bytes or of none.
  (bytes, at, dice) =>
    Buffer.concat([
      bytes.subarray(0, at),
      dice.pick(fragments),
      bytes.subarray(at + (dice.chance(50) ? 0 : dice.between(1, 6))),
    ]),
  // Two bytes swapped.
  (bytes, at) => {
    const next = Math.min(at + 1, bytes.byteLength - 1);
    [bytes[at], bytes[next]] = [bytes[next] ?? 0, bytes[at] ?? 0];
    return bytes;
  },
];

/** The body with one to three changes. */
export function mutated(body: string, dice: Dice): Buffer {
  let bytes: Buffer = Buffer.from(body);
  for (let left = dice.between(1, 3); left > 0 && bytes.byteLength > 0; left--) {
    bytes = dice.pick(changes)(bytes, dice.between(0, bytes.byteLength - 1), dice);
  }
  return bytes;
}

/** A call whose body has other bytes than the one that is signed, was heard before, or is signed by nobody. */
export function changedBytes(dice: Dice, moment: Moment): Input {
  const { heard } = moment.line;
  const choice = dice.between(0, 9);
  if (choice < 5 && heard.length > 0) {
    const known = dice.pick(heard);
    const body = mutated(known.body, dice);
    const isSame = body.equals(Buffer.from(known.body));
    const shut: Expected = { is: 'shut', body, mayBeUnknown: isOfVoids(body) };
    const expected: Expected = isSame ? { is: 'idle' } : shut;
    return input('of a call that was heard', post(known.headers, body), expected);
  }
  if (choice < 7) {
    const forged = forgedCall(dice, moment);
    const body = mutated(forged.request.body.toString(), dice);
    const headers = forged.request.headers.slice(2, -4);
    return input('of a forged call', post(headers, body), { is: 'shut', body });
  }
  const call = newCall(dice, moment.number);
  const signed = signedBy(honestSigner(dice), moment.timestamp, signedPart(call));
  const body = mutated(bodyOf(call), dice);
  return input('of a signed call', post(headersOf(signed), body), { is: 'same', call, body });
}

/** Whether all transactions of the body are voids, however that is spelled (D2.3). */
function isOfVoids(body: Buffer): boolean {
  const types = body.toString('latin1').match(/"type":"[^"]*"/g) ?? [];
  return types.length > 0 && types.every((type) => type.toLowerCase() === '"type":"void"');
}

function input(name: string, request: Input['request'], expected: Expected): Input {
  return { kind: 'bytes', api: 'wallet', name, request, expected };
}
