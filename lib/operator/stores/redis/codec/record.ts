import {
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type TransactionRecord,
  type VoidRecord,
} from '../../../gameround';
import type { Purse } from '../../../../protocol/money/purse';
import type { Account } from '../../../wallet';
import { joinFingerprints, splitFingerprints } from '../../codec/fingerprint';
import { fieldsOf, readCredit, readDebit, readEnd, readVoid, unreadable } from '../../codec/record';
import { packHash, unpackHash } from './hash-fields';
import { decodeTime, encodeTime } from './time';

/** A record as stored. If `isTaken` is set, the script appends what the debit took. */
export function encodeRecord(record: TransactionRecord | VoidRecord, isTaken: boolean): string {
  const at = encodeTime(record.at);
  const calls = joinFingerprints(record.fingerprints);
  // Most records have none, and a byte in each would add up.
  const tail = calls === '' ? '' : ` ${calls}`;
  if (record.type === 'end') return `e${encodeOutcome(record.outcome)} ${at}${tail}`;
  const purse = isTaken ? '' : ` ${record.purse.real} ${record.purse.bonus}`;
  if (record.type === 'void') return `${at}${purse}${tail}`;
  const { outcome, currency, amount } = record;
  const serial = record.serial === null ? '' : encodeURIComponent(record.serial);
  if (record.type === 'credit') {
    return `c${encodeOutcome(outcome)} ${currency} ${amount} ${at} ${serial}${purse}${tail}`;
  }
  const first = record.first ? 1 : 0;
  const head = `d${encodeOutcome(outcome)} ${first} ${currency} ${amount} ${record.discount}`;
  const behind = record.behind.length === 0 ? '' : record.behind.map(packHash).join(',');
  return `${head} ${at} ${serial} ${record.delivery} ${calls} ${behind}${purse}`;
}

/** The transaction of a `t` field. @throws Error for anything this version cannot read. */
export function decodeTransaction(text: string): TransactionRecord {
  const fields = text.split(' ');
  const [kind = ''] = fields;
  const outcome = decodeOutcome(kind.slice(1));
  switch (kind.charAt(0)) {
    case 'd':
      return decodeDebit(outcome, fieldsOf(fields, 12) as readonly string[]);
    case 'c': {
      const [, currency, amount, at, serial, real, bonus] = fields;
      const fingerprints = decodeCalls(fields, 7);
      return readCredit({
        outcome,
        at: decodeTime(at),
        currency,
        amount,
        real,
        bonus,
        serial: decodeSerial(serial),
        fingerprints,
      });
    }
    case 'e':
      return readEnd({ outcome, at: decodeTime(fields[1]), fingerprints: decodeCalls(fields, 2) });
    default:
      throw unreadable('type of a record', kind);
  }
}

function decodeDebit(outcome: string, fields: readonly string[]): TransactionRecord {
  const [
    ,
    first,
    currency,
    amount,
    discount,
    at,
    serial,
    delivery,
    calls,
    behind = '',
    real,
    bonus,
  ] = fields;
  return readDebit({
    outcome,
    at: decodeTime(at),
    currency,
    amount,
    discount,
    serial: decodeSerial(serial),
    real,
    bonus,
    first: decodeFlag(first),
    delivery,
    behind: behind === '' ? noTexts : behind.split(',').map(unpackHash),
    fingerprints: splitFingerprints(calls),
  });
}

/** The void of a `v` field. @throws Error for anything this version cannot read. */
export function decodeVoid(text: string): VoidRecord {
  const fields = text.split(' ');
  const [at, real, bonus] = fields;
  return readVoid({ real, bonus, at: decodeTime(at), fingerprints: decodeCalls(fields, 3) });
}

/** The entry of a hash, from its two fields; null if both are empty. */
export function decodeEntry(transaction: string | null, order: string | null): HashEntry | null {
  if (transaction === null && order === null) return null;
  return {
    ...(transaction === null ? {} : { transaction: decodeTransaction(transaction) }),
    ...(order === null ? {} : { void: decodeVoid(order) }),
  };
}

/** A balance as stored: `real`, or `real bonus`. */
export function encodeBalance(real: bigint, bonus: bigint | null): string {
  return bonus === null ? String(real) : `${real} ${bonus}`;
}

/** An account from its stored balance. */
export function decodeAccount(currency: string, balance: string): Account {
  const [real, bonus] = balance.split(' ');
  return { currency, real: BigInt(real ?? 0), bonus: bonus === undefined ? null : BigInt(bonus) };
}

/** The accounts of the player's stored hash; null if it is empty. */
export function decodeAccounts(hash: readonly string[]): Account[] | null {
  if (hash.length === 0) return null;
  const accounts: Account[] = [];
  for (let at = 0; at + 1 < hash.length; at += 2) {
    const [field, value] = [hash[at] ?? '', hash[at + 1] ?? ''];
    const first = field.charCodeAt(0);
    if (first === 0x2b || first === 0x23 || field === 'blocked') continue; // + and #: see commit.lua
    accounts.push(decodeAccount(field, value));
  }
  return accounts;
}

/** What the player's stored hash carries for rounds that expire: see commit.lua. */
export function decodeCarried(hash: readonly string[], currency: string): Purse {
  const unitsOf = (field: string): bigint => {
    const at = hash.findIndex((name, place) => place % 2 === 0 && name === field);
    return BigInt(at < 0 ? 0 : (hash[at + 1] ?? 0));
  };
  return { real: unitsOf(`+${currency}`), bonus: unitsOf(`++${currency}`) };
}

/**
 * Whether the player of this stored hash is blocked at a time, and until when: null for ever.
 * @throws Error for anything this version cannot read, where commits hold the player for blocked.
 */
export function blockOf(
  hash: readonly string[],
  now: number,
): { readonly blocked: boolean; readonly blockedUntil: number | null } {
  const at = hash.findIndex((name, place) => place % 2 === 0 && name === 'blocked');
  if (at < 0) return { blocked: false, blockedUntil: null };
  const [whole, end] = /^1(?: (\d+))?$/.exec(hash[at + 1] ?? '') ?? [];
  if (whole === undefined) throw unreadable('block', hash[at + 1]);
  const until = end === undefined ? null : Number(end);
  const blocked = until === null || now < until;
  return { blocked, blockedUntil: blocked ? until : null };
}

function encodeOutcome(outcome: RecordedOutcome): string {
  if (outcome === 'accepted') return 'a';
  return outcome === 'unanswered' ? 'u' : `:${outcome}`;
}

/** The outcome in the rules' spelling. */
export function decodeOutcome(text: string): string {
  if (text === 'a') return 'accepted';
  if (text === 'u') return 'unanswered';
  if (!text.startsWith(':')) throw unreadable('outcome', text);
  return text.slice(1);
}

function decodeSerial(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : decodeURIComponent(text);
}

function decodeFlag(text: string | undefined): unknown {
  return text === '1' || (text === '0' ? false : text);
}

/** The fingerprints after so many fields of a record: none, or one field. */
function decodeCalls(fields: readonly string[], after: number): readonly string[] {
  return fields.length === after ? noTexts : splitFingerprints(fieldsOf(fields, after + 1)[after]);
}
