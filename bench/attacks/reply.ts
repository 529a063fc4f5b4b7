import type { GoodCall } from './inputs/call';
import type { Answer } from './exchange';

/** An answer, read by the protocol (operator-api 2.2, 2.3 and 7). */
export interface Reply {
  /** `errorCode.id`; null for none. */
  readonly id: number | null;
  /** Null for a call that was refused whole. */
  readonly hashes: readonly HashReply[] | null;
  /** The text of the real balance's number; null without balances. */
  readonly balance: string | null;
}

interface HashReply {
  readonly hash: string;
  readonly isRefused: boolean;
}

/** Answers that are the same for every request are read once. */
const known = new Map<string, Reply>();
const maxKnown = 1000;

/** The reply; or what is wrong with it. */
export function readReply({ status, headers, text }: Answer): Reply | string {
  if (headers['content-type'] !== 'application/json; charset=utf-8') return 'not JSON by its type';
  if (headers['content-length'] !== Buffer.byteLength(text)) return 'not of its length';
  const before = known.get(text);
  const reply = before ?? read(text);
  if (typeof reply === 'string') return reply;
  if ((reply.id === null) !== (status === 200)) return `status ${status} and error ${reply.id}`;
  if (before === undefined && reply.hashes === null && known.size < maxKnown) {
    known.set(text, reply);
  }
  return reply;
}

const members = new Set(['balances', 'hashesProcessed', 'errorCode', 'useBonusFirst']);

function read(text: string): Reply | string {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'not JSON';
  }
  if (!isObject(body)) return 'no object';
  const unknown = Object.keys(body).find((name) => !members.has(name));
  if (unknown !== undefined) return `a member ${unknown}`;
  const { errorCode, hashesProcessed, balances } = body;
  if (errorCode !== undefined && !isError(errorCode)) return 'an errorCode of another shape';
  if (balances !== undefined && !isBalances(balances)) return 'balances of another shape';
  const hashes = hashesProcessed === undefined ? null : readHashes(hashesProcessed);
  if (typeof hashes === 'string') return hashes;
  const [, balance = null] = balances === undefined ? [] : (realBalance.exec(text) ?? []);
  return { id: errorCode === undefined ? null : errorCode.id, hashes, balance };
}

const realBalance = /"type":"real","amount":(-?[\d.]+),/;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isError(value: unknown): value is { readonly id: number } {
  if (!isObject(value) || Object.keys(value).length !== 3) return false;
  const { id, msg, clientmsg } = value;
  return Number.isSafeInteger(id) && typeof msg === 'string' && typeof clientmsg === 'string';
}

function isBalances(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > 2) return false;
  return value.every(
    (each: unknown) =>
      isObject(each) &&
      (each['type'] === 'real' || each['type'] === 'bonus') &&
      typeof each['amount'] === 'number' &&
      typeof each['currency'] === 'string',
  );
}

function readHashes(value: unknown): readonly HashReply[] | string {
  if (!Array.isArray(value)) return 'hashesProcessed of another shape';
  const hashes: HashReply[] = [];
  for (const each of value as readonly unknown[]) {
    if (!isObject(each) || typeof each['hash'] !== 'string') return 'a hash of another shape';
    const { errorCode } = each;
    if (errorCode !== undefined && !isError(errorCode))
      return 'an error of a hash of another shape';
    hashes.push({ hash: each['hash'], isRefused: errorCode !== undefined });
  }
  return hashes;
}

/** Units of 1/10000 of an amount's text, which has at most four decimals. */
export function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(4, '0'));
  return text.startsWith('-') ? -units : units;
}

interface ReadCall {
  readonly playerId: string;
  readonly gameCode: string;
  readonly gameRound: string;
  readonly transactions: readonly { readonly type: string; readonly hash: string }[];
}

/**
 * What a body that was processed moves, by the amounts that are signed: those of the call that it was made of. A text if it was
 * processed although something that is signed is not the same.
 */
export function movedBy(
  call: GoodCall,
  body: Buffer,
  hashes: readonly HashReply[],
): bigint | string {
  const { playerId, gameCode, gameRound, transactions } = JSON.parse(body.toString()) as ReadCall;
  const ids = [playerId, gameCode, gameRound].join();
  if (ids !== [call.playerId, call.gameCode, call.gameRound].join())
    return 'other ids are accepted';
  const asked = transactions.map(({ hash }) => hash).join();
  if (asked !== call.items.map(({ hash }) => hash).join()) return 'other hashes are accepted';
  let units = 0n;
  for (const [at, { hash, isRefused }] of hashes.entries()) {
    if (hash !== transactions[at]?.hash) return 'hashesProcessed is in another order (D6.1)';
    const moved = call.moves.get(hash) ?? 0n;
    const type = transactions[at].type.toLowerCase();
    const size = moved < 0n ? -moved : moved;
    if (isRefused || (type !== 'debit' && type !== 'credit')) continue;
    units += type === 'debit' ? -size : size;
  }
  return units;
}
