import { errorCatalogue, type ErrorCode } from '../../protocol/operator-api/catalogue';
import {
  type HashEntry,
  type NewRecord,
  type RoundHead,
  roundStates,
  withRecord,
} from '../../operator/gameround';
import { emptyPurse } from '../../protocol/money/purse';
import { maxUnits } from '../../protocol/money/amount';
import { creditRecord, debitRecord, endRecord, voidRecord } from './changes';

/** Identifiers that a store must keep apart byte for byte (D2.6). */
export const oddIds: readonly string[] = [
  ...'{} {a} }{ : :: % %7B%7D %25 / a/b \\ .. *?[a-z] " \' ` $(a)'.split(' '),
  ...'0 -1 00 h g th blocked EUR'.split(' '),
  ...'__proto__ constructor prototype toString null undefined a A \u00e9 e\u0301'.split(' '),
  ...'\u20ac \u{1f3b0} \u200b \u2028 \ufeff \u05d0\u202e'.split(' '),
  '0b9bd9a1-5f6e-4c3c-9a53-0e2b3a1d7c55',
  '0B9BD9A1-5F6E-4C3C-9A53-0E2B3A1D7C55',
  '0b9bd9a15f6e4c3c9a530e2b3a1d7c55',
  'C5vZoV9uTDyaUw4rOh18VQ',
  'T0b9bd9a1-5f6e-4c3c-9a53-0e2b3a1d7c55',
  'a b',
  ' a',
  'a ',
  'x'.repeat(128),
  `${'x'.repeat(127)}y`,
  '{'.repeat(128),
  '\u{1f3b0}'.repeat(128),
];

/** Records of transactions that moved nothing: each code, and each odd serial. */
export function everyRefusal(): NewRecord[] {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const records = [
    ...codes.flatMap((outcome) => [
      debitRecord(5n, { outcome }),
      creditRecord(emptyPurse, { outcome, amount: 7n }),
      endRecord({ outcome, at: 1 }),
    ]),
    debitRecord(maxUnits, { outcome: 'DEBITREFUSED', first: false, discount: maxUnits, at: 0 }),
    ...oddIds.map((serial) =>
      debitRecord(0n, { serial, currency: 'USD', outcome: 'DEBITREFUSED' }),
    ),
    ...oddIds.map((serial) => creditRecord(emptyPurse, { serial, outcome: 'CREDITREFUSED' })),
  ];
  return numbered('refusal', records);
}

/** Records of any content, including some that no rule writes. */
export function everyRecord(): NewRecord[] {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const purse = { real: 12n, bonus: -34n };
  const serials = oddIds.map((serial) => ({ serial, purse, at: 0 }));
  const records = [
    ...codes.flatMap((outcome) => [
      debitRecord(5n, { outcome }),
      creditRecord(purse, { outcome }),
      endRecord({ outcome, at: 1 }),
    ]),
    endRecord({ at: 8_640_000_000_000_000 }),
    ...named(fewFingerprints),
    ...named(manyFingerprints),
    debitRecord(9n, { first: false, outcome: 'unanswered', behind: oddIds, delivery: '' }),
    debitRecord(9n, {
      first: false,
      outcome: 'unanswered',
      behind: ['one', '#two'],
      delivery: 'zZ09',
    }),
    debitRecord(9n, { outcome: 'unanswered', first: false, discount: 2n, currency: 'USD', purse }),
    debitRecord(maxUnits, { outcome: 'unanswered', discount: maxUnits }),
    creditRecord({ real: maxUnits, bonus: maxUnits }, { amount: maxUnits }),
    ...serials.map((more) => debitRecord(0n, { ...more, outcome: 'DEBITREFUSED' })),
    ...serials.map((more) => creditRecord(purse, more)),
    voidRecord({ real: -maxUnits, bonus: maxUnits }),
    voidRecord(emptyPurse),
  ];
  return numbered('hash', records);
}

const fewFingerprints = ['Ab+/cd01EF23'];
const manyFingerprints = ['Ab+/cd01EF23', 'Ab+/cd01EF24', '////++++0000', 'abcdefghijkl'];

/** A record of each type with the fingerprints of the calls that named it first (D1.8). */
function named(fingerprints: readonly string[]): NewRecord['record'][] {
  const purse = { real: 1n, bonus: 0n };
  return [
    debitRecord(5n, { outcome: 'unanswered', fingerprints }),
    creditRecord(purse, { fingerprints }),
    endRecord({ fingerprints }),
    { ...voidRecord(purse), fingerprints },
  ];
}

/** Heads that differ from that of an open round, covering every field. */
export function everyHead(): Partial<RoundHead>[] {
  const flags = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
    started: (bits & 1) !== 0,
    credited: (bits & 2) * 60,
    ended: (bits & 4) * 70,
    unanswered: bits,
  }));
  const declined = oddIds.map((hash) => ({ declined: hash }));
  const stuck = oddIds.map((hash) => ({ state: 'stranded', stuckBy: hash }) as const);
  const both = { state: 'crashed', declined: 'a', stuckBy: 'b' } as const;
  const sums = { debits: { real: 1n, bonus: 2n }, credits: { real: 3n, bonus: maxUnits } };
  return [
    ...roundStates.flatMap((state) => roundStates.map((resume) => ({ state, resume }))),
    ...flags,
    ...declined,
    ...stuck,
    both,
    { currency: null, gameCode: 'a {b}:%\u00e9\u{1f3b0}', changedAt: 0 },
    sums,
  ];
}

/** The entry of a hash with only this record. */
export function entryOf(record: NewRecord['record']): HashEntry {
  return withRecord(undefined, record);
}

function numbered(prefix: string, records: readonly NewRecord['record'][]): NewRecord[] {
  return records.map((record, at) => ({ hash: `${prefix}-${at}`, record }));
}
