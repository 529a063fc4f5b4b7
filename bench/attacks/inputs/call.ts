import { createHmac } from 'node:crypto';
import type { Dice } from '../../../lib/proof/subject/dice';
import type { RawRequest } from './raw-request';
import { currency, gameCode, nextSecret, operatorId, players, secret } from './terms';

/** An item of `transactions`, as it is written. */
export interface Item {
  readonly type: string;
  readonly hash: string;
  /** The text of the number; null for none. */
  readonly amount: string | null;
  /** Further members, as JSON with a comma in front. */
  readonly more: string;
}

/** A doTransactions call, as it is written. */
export interface Call {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly items: readonly Item[];
}

/** A call that the rules take, with what it moves, computed here and not by the wallet. */
export interface GoodCall extends Call {
  /** In units of 1/10000, by hash: below zero for a debit. */
  readonly moves: ReadonlyMap<string, bigint>;
  /** All of it. */
  readonly units: bigint;
}

/** Whose signature a request has. */
export interface Signer {
  readonly authId: string;
  readonly secret: string;
}

/** The three headers, by what they say. */
export interface Signed {
  readonly authId: string;
  readonly timestamp: string;
  readonly signature: string;
}

const casino: Signer = { authId: operatorId, secret };
const rotated: Signer = { authId: operatorId, secret: nextSecret };
const none = Buffer.alloc(0);

/** The operator, under one of its two secrets. */
export function honestSigner(dice: Dice): Signer {
  return dice.chance(80) ? casino : rotated;
}

/** A new round, taken whole: one to three transactions. @param number That of the input: makes it unique. */
export function newCall(dice: Dice, number: number): GoodCall {
  const moves = new Map<string, bigint>();
  const items: Item[] = [];
  const add = (type: 'debit' | 'credit', more = ''): void => {
    const { text, units } = newAmount(dice);
    const hash = `hash-${number}-${items.length}`;
    items.push({ type, hash, amount: text, more: `,"currency":"${currency}"${more}` });
    moves.set(hash, type === 'debit' ? -units : units);
  };
  add('debit', ',"isFirstDebit":true');
  const shape = dice.between(0, 3);
  if (shape === 1) add('debit', ',"isFirstDebit":false');
  if (shape >= 2) add('credit');
  if (shape === 3) items.push({ type: 'end', hash: `end-${number}`, amount: null, more: '' });
  const units = [...moves.values()].reduce((sum, each) => sum + each, 0n);
  const playerId = dice.pick(players);
  return { playerId, gameCode, gameRound: `round-${number}`, items, moves, units };
}

/** An amount in its shortest form, and in units of 1/10000. */
export function newAmount(dice: Dice): { readonly text: string; readonly units: bigint } {
  const whole = dice.between(1, 500);
  const decimals = dice.between(0, 4);
  if (decimals === 0) return { text: String(whole), units: BigInt(whole) * 10_000n };
  // The last digit is not 0, so that there is no shorter form.
  const fraction = dice.between(0, 10 ** (decimals - 1) - 1) * 10 + dice.between(1, 9);
  const text = `${whole}.${String(fraction).padStart(decimals, '0')}`;
  return { text, units: BigInt(whole) * 10_000n + BigInt(fraction * 10 ** (4 - decimals)) };
}

/** The body of a call. */
export function bodyOf(call: Call, count: number | string = call.items.length): string {
  let transactions = '';
  for (const { type, hash, amount, more } of call.items) {
    const money = amount === null ? '' : `,"amount":${amount}`;
    transactions += `${transactions === '' ? '' : ','}{"type":"${type}","hash":${quoted(hash)}${money}${more}}`;
  }
  return (
    `{"playerId":${quoted(call.playerId)},"gameCode":${quoted(call.gameCode)},"gameRound":${quoted(call.gameRound)},` +
    `"transactions":[${transactions}],"transactionCount":${count}}`
  );
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** What of a call is signed behind the timestamp (operator-api 4.1): an amount of zero adds nothing. */
export function signedPart({ playerId, gameCode: game, gameRound, items }: Call): string {
  let text = `#${playerId}#${game}#${gameRound}`;
  for (const { hash, amount } of items) {
    text += amount === null || Number(amount) === 0 ? `#${hash}` : `#${hash}#${amount}`;
  }
  return text;
}

/** X-H-AUTH-SIG (operator-api 5), by nothing but node:crypto. */
export function sign({ authId, secret: key }: Signer, timestamp: string, part: string): string {
  return createHmac('sha256', key).update(`${key}#${authId}#${timestamp}${part}`).digest('base64');
}

/** The three headers of a request that is signed as it should be. */
export function signedBy(signer: Signer, timestamp: string, part: string): Signed {
  return { authId: signer.authId, timestamp, signature: sign(signer, timestamp, part) };
}

/** The three headers as they are sent. */
export function headersOf({ authId, timestamp, signature }: Signed): string[] {
  return ['X-H-AUTH-ID', authId, 'X-H-TIMESTAMP', timestamp, 'X-H-AUTH-SIG', signature];
}

/** POST /doTransactions. @param headers All but those of the body. */
export function post(
  headers: readonly string[],
  body: string | Buffer,
  target = '/doTransactions',
): RawRequest {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const about = ['Content-Type', 'application/json', 'Content-Length', String(bytes.byteLength)];
  return {
    method: 'POST',
    target,
    headers: ['Host', 'wallet', ...headers, ...about],
    body: bytes,
    pieceBytes: null,
    cutAt: null,
  };
}

/** GET, of a path with its query. */
export function get(headers: readonly string[], target: string): RawRequest {
  return {
    method: 'GET',
    target,
    headers: ['Host', 'wallet', ...headers],
    body: none,
    pieceBytes: null,
    cutAt: null,
  };
}
