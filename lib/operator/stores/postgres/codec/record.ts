import type { NewRecord, TransactionRecord, VoidRecord } from '../../../gameround';
import { joinFingerprints, splitFingerprints } from '../../codec/fingerprint';
import { fieldsOf, readCredit, readDebit, readEnd, readVoid, unreadable } from '../../codec/record';

/** A record as stored, in JSON. Amounts are decimal texts: a JSON number would not be exact. */
type RecordRow = readonly [letter: 'e' | 'v' | 'c' | 'd', ...fields: unknown[]];

/** What the debits of a call took: real and bonus of each take in turn. */
export type Taken = readonly bigint[];

/** A record as stored. `take` replaces what a debit took; absent if that is known. */
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

/**
 * Reads a record; `taken` is what the call's debits took, or this one alone.
 * @throws Error for anything this version cannot read.
 */
export function readRow(row: readonly unknown[], taken: Taken): TransactionRecord | VoidRecord {
  switch (row[0]) {
    case 'e': {
      const [, outcome, at, calls] = fieldsOf(row, 4);
      return readEnd({ outcome, at, fingerprints: splitFingerprints(calls) });
    }
    case 'v': {
      const [, at, real, bonus, calls] = fieldsOf(row, 5);
      return readVoid({ at, real, bonus, fingerprints: splitFingerprints(calls) });
    }
    case 'c': {
      const [, outcome, at, currency, amount, serial, real, bonus, calls] = fieldsOf(row, 9);
      const fingerprints = splitFingerprints(calls);
      return readCredit({ outcome, at, currency, amount, serial, real, bonus, fingerprints });
    }
    case 'd':
      return readDebitRow(row, taken);
    default:
      throw unreadable('type of a record', row[0]);
  }
}

/**
 * The last member is what the debit took, or the number of the take that holds it, or null if it is in the
 * columns.
 */
function readDebitRow(row: readonly unknown[], taken: Taken): TransactionRecord {
  const isTakeListed = typeof row[11] !== 'string';
  const [, outcome, at, currency, amount, serial, discount, ...more] = fieldsOf(
    row,
    isTakeListed ? 12 : 13,
  );
  const [first, delivery, calls, behind, own, ownBonus] = more;
  const place = 2 * Number(own ?? 0);
  const [real, bonus] = isTakeListed ? taken.slice(place, place + 2) : [own, ownBonus];
  const fingerprints = splitFingerprints(calls);
  const money = { currency, amount, serial, discount, real, bonus };
  return readDebit({ outcome, at, ...money, first, delivery, behind, fingerprints });
}
