import { type ErrorCode, errorCatalogue } from '../../../../protocol/operator-api';
import {
  type DebitRecord,
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type TransactionRecord,
  type VoidRecord,
} from '../../../gameround';
import type { Account } from '../../../wallet';
import { joinFingerprints, splitFingerprints } from '../../fingerprint-codec';
import { packHash, unpackHash } from './hash-fields';
import { purseOf } from './head';
import { decodeTime, encodeTime } from './time';

/** A record as stored. Where `isTaken` is set the script appends what the debit took. */
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

/** The transaction that was stored under a `t` field. */
export function decodeTransaction(text: string): TransactionRecord {
  const [kind = '', ...rest] = text.split(' ');
  const outcome = decodeOutcome(kind.slice(1));
  if (kind.startsWith('d')) {
    return decodeDebit(outcome, rest);
  }
  if (kind.startsWith('c')) {
    const [currency = '', amount, at, serial, real, bonus, calls = ''] = rest;
    return {
      type: 'credit',
      outcome,
      currency,
      amount: BigInt(amount ?? 0),
      serial: decodeSerial(serial),
      purse: purseOf(real, bonus),
      at: decodeTime(at),
      fingerprints: splitFingerprints(calls),
    };
  }
  const [at, calls = ''] = rest;
  return { type: 'end', outcome, at: decodeTime(at), fingerprints: splitFingerprints(calls) };
}

function decodeDebit(outcome: RecordedOutcome, rest: readonly string[]): DebitRecord {
  const [first, currency = '', amount, discount, at, serial, delivery = '', ...more] = rest;
  const [calls = '', behind = '', real, bonus] = more;
  return {
    type: 'debit',
    outcome,
    currency,
    amount: BigInt(amount ?? 0),
    discount: BigInt(discount ?? 0),
    first: first === '1',
    serial: decodeSerial(serial),
    delivery,
    behind: behind === '' ? noTexts : behind.split(',').map(unpackHash),
    purse: purseOf(real, bonus),
    at: decodeTime(at),
    fingerprints: splitFingerprints(calls),
  };
}

/** The void that was stored under a `v` field. */
export function decodeVoid(text: string): VoidRecord {
  const [at, real, bonus, calls = ''] = text.split(' ');
  const fingerprints = splitFingerprints(calls);
  return { type: 'void', purse: purseOf(real, bonus), at: decodeTime(at), fingerprints };
}

/** What is known of a hash, from the values of its two fields; null where nothing is. */
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

/** The accounts from the player's stored hash; null where there is none. */
export function decodeAccounts(hash: readonly string[]): Account[] | null {
  if (hash.length === 0) return null;
  const accounts: Account[] = [];
  for (let at = 0; at + 1 < hash.length; at += 2) {
    const [field = '', value = ''] = hash.slice(at, at + 2);
    if (field !== 'blocked') accounts.push(decodeAccount(field, value));
  }
  return accounts;
}

/** Whether the player of this stored hash is blocked: the field is there for who is. */
export function isBlocked(hash: readonly string[]): boolean {
  for (let at = 0; at < hash.length; at += 2) if (hash[at] === 'blocked') return true;
  return false;
}

function encodeOutcome(outcome: RecordedOutcome): string {
  if (outcome === 'accepted') return 'a';
  return outcome === 'unanswered' ? 'u' : `:${outcome}`;
}

function decodeOutcome(text: string): RecordedOutcome {
  if (text === 'a') return 'accepted';
  if (text === 'u') return 'unanswered';
  const code = text.slice(1);
  if (!(code in errorCatalogue)) throw new Error('A stored record has an unknown outcome.');
  return code as ErrorCode;
}

function decodeSerial(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : decodeURIComponent(text);
}
