import { type ErrorCode, errorCatalogue } from '../../../../protocol/operator-api';
import type { NewRecord, RecordedOutcome, TransactionRecord, VoidRecord } from '../../../gameround';
import type { Purse } from '../../../../protocol/money';
import { joinFingerprints, splitFingerprints } from '../../fingerprint-codec';

/** Fingerprints of the calls that named the hash first, joined: they are all of one length. */
type Calls = string;
/** Amounts are decimal texts: a JSON number would not hold them exactly. */
type EndRow = readonly ['e', RecordedOutcome, number, Calls];
type CreditRow = readonly [
  'c',
  RecordedOutcome,
  number,
  string,
  string,
  string | null,
  string,
  string,
  Calls,
];
/** What it took stands last, or the number of the take that tells it, or null where that stands beside the record. */
type DebitRow = readonly [
  'd',
  RecordedOutcome,
  number,
  string,
  string,
  string | null,
  string,
  boolean,
  delivery: string,
  Calls,
  behind: readonly string[],
  ...(readonly [string, string] | readonly [number | null]),
];
type VoidRow = readonly ['v', number, string, string, Calls];

/** A record as it is kept, as JSON. */
export type RecordRow = EndRow | CreditRow | DebitRow | VoidRow;

/** What the debits of a call took, real and bonus of each take in turn. */
export type Taken = readonly bigint[];

const ownOutcomes: ReadonlySet<string> = new Set<RecordedOutcome>([
  'accepted',
  'unanswered',
  'pending',
]);

/** A record as it is kept. `take` stands in the place of what a debit took; absent where that is known. */
export function rowOf(record: NewRecord['record'], take?: number | null): RecordRow {
  const { at } = record;
  const calls = joinFingerprints(record.fingerprints);
  if (record.type === 'end') return ['e', record.outcome, at, calls];
  const purse = [String(record.purse.real), String(record.purse.bonus)] as const;
  if (record.type === 'void') return ['v', at, ...purse, calls];
  const { outcome, currency, serial } = record;
  const shared = [outcome, at, currency, String(record.amount), serial] as const;
  if (record.type === 'credit') return ['c', ...shared, ...purse, calls];
  const { discount, first, delivery, behind } = record;
  const own = ['d', ...shared, String(discount), first, delivery, calls, behind] as const;
  return take === undefined ? [...own, ...purse] : [...own, take];
}

/** Reads a record; `taken` is what the call's debits took, or this one alone. */
export function readRow(row: RecordRow, taken: Taken): TransactionRecord | VoidRecord {
  switch (row[0]) {
    case 'e':
      return {
        type: 'end',
        outcome: outcomeOf(row[1]),
        at: row[2],
        fingerprints: splitFingerprints(row[3]),
      };
    case 'v':
      return {
        type: 'void',
        purse: purseOf(row[2], row[3]),
        at: row[1],
        fingerprints: splitFingerprints(row[4]),
      };
    case 'c': {
      const [, outcome, at, currency, amount, serial, real, bonus, calls] = row;
      const shared = { outcome: outcomeOf(outcome), at, currency, amount: BigInt(amount), serial };
      const fingerprints = splitFingerprints(calls);
      return { type: 'credit', ...shared, purse: purseOf(real, bonus), fingerprints };
    }
    case 'd': {
      const [, outcome, at, currency, amount, serial, discount, first, delivery, calls] = row;
      const [behind, own, bonus] = [row[10], row[11], row[12]];
      const shared = { outcome: outcomeOf(outcome), at, currency, amount: BigInt(amount), serial };
      const purse = typeof own === 'string' ? purseOf(own, bonus) : takeOf(taken, own ?? 0);
      const round = { discount: BigInt(discount), first, delivery, behind };
      return { type: 'debit', ...shared, ...round, purse, fingerprints: splitFingerprints(calls) };
    }
    default:
      throw new Error('A stored record has a type that this version does not know.');
  }
}

function takeOf(taken: Taken, take: number): Purse {
  const [real, bonus] = taken.slice(2 * take, 2 * take + 2);
  if (real === undefined || bonus === undefined) throw new Error('A stored debit lacks its purse.');
  return { real, bonus };
}

function outcomeOf(text: string): RecordedOutcome {
  if (!ownOutcomes.has(text) && !Object.hasOwn(errorCatalogue, text)) {
    throw new Error('A stored record has an outcome that this version does not know.');
  }
  return text as ErrorCode;
}

function purseOf(real: string, bonus: string | undefined): Purse {
  return { real: BigInt(real), bonus: BigInt(bonus ?? 0) };
}
