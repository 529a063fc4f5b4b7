import { type ErrorCode, errorCatalogue } from '../../errors';
import type { HashEntry, RecordedOutcome, TransactionRecord, VoidRecord } from '../../gameround';
import type { Account } from '../../wallet';
import { purseOf } from './head-codec';

/** A record as stored. Where `isTaken` is set the script appends what the debit took. */
export function encodeRecord(record: TransactionRecord | VoidRecord, isTaken: boolean): string {
  const at = record.at.toString(36);
  if (record.type === 'end') return `e${encodeOutcome(record.outcome)} ${at}`;
  const purse = isTaken ? '' : ` ${record.purse.real} ${record.purse.bonus}`;
  if (record.type === 'void') return `${at}${purse}`;
  const { outcome, currency, amount } = record;
  const serial = record.serial === null ? '' : encodeURIComponent(record.serial);
  if (record.type === 'credit') {
    return `c${encodeOutcome(outcome)} ${currency} ${amount} ${at} ${serial}${purse}`;
  }
  const first = record.first ? 1 : 0;
  const head = `d${encodeOutcome(outcome)} ${first} ${currency} ${amount} ${record.discount}`;
  return `${head} ${at} ${serial}${purse}`;
}

/** The transaction that was stored under a `t` field. */
export function decodeTransaction(text: string): TransactionRecord {
  const [kind = '', ...rest] = text.split(' ');
  const outcome = decodeOutcome(kind.slice(1));
  if (kind.startsWith('d')) {
    const [first, currency = '', amount, discount, at, serial, real, bonus] = rest;
    return {
      type: 'debit',
      outcome,
      currency,
      amount: BigInt(amount ?? 0),
      discount: BigInt(discount ?? 0),
      first: first === '1',
      serial: decodeSerial(serial),
      purse: purseOf(real, bonus),
      at: decodeTime(at),
    };
  }
  if (kind.startsWith('c')) {
    const [currency = '', amount, at, serial, real, bonus] = rest;
    return {
      type: 'credit',
      outcome,
      currency,
      amount: BigInt(amount ?? 0),
      serial: decodeSerial(serial),
      purse: purseOf(real, bonus),
      at: decodeTime(at),
    };
  }
  return { type: 'end', outcome, at: decodeTime(rest[0]) };
}

/** The void that was stored under a `v` field. */
export function decodeVoid(text: string): VoidRecord {
  const [at, real, bonus] = text.split(' ');
  return { type: 'void', purse: purseOf(real, bonus), at: decodeTime(at) };
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

function decodeTime(text: string | undefined): number {
  return Number.parseInt(text ?? '', 36);
}
