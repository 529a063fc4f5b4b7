import { errorCatalogue, type ErrorCode } from '../../../protocol/operator-api/catalogue';
import { isCurrency } from '../../../protocol/identifiers';
import {
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  movementRefusals,
  type MovementRefusal,
  noTexts,
  type RecordedOutcome,
  type RoundState,
  roundStates,
  type VoidRecord,
} from '../../gameround';
import type { StakedCredit } from '../../gameround/repairs/resolve';
import { bodyCharacters, signatureCharacters } from '../../../protocol/signature';

/**
 * The fields of a record as a store returns them, before anything of them is checked: a store only lays
 * them out, in its own order and spelling. A purse is two fields, amounts are decimal texts.
 */
type StoredFields<R> = {
  readonly [name in Exclude<keyof R, 'type' | 'purse'>]: unknown;
} & (R extends { readonly purse: unknown }
  ? { readonly real: unknown; readonly bonus: unknown }
  : unknown);

/** @throws Error for a field that this version cannot read. */
export function readDebit(stored: StoredFields<DebitRecord>): DebitRecord {
  return {
    type: 'debit',
    outcome: outcomeOf(stored.outcome),
    currency: currencyOf(stored.currency),
    amount: unitsOf(stored.amount),
    discount: unitsOf(stored.discount),
    first: flagOf(stored.first),
    serial: serialOf(stored.serial),
    delivery: textOf(stored.delivery, 'delivery'),
    behind: textsOf(stored.behind, 'behind'),
    purse: { real: unitsOf(stored.real), bonus: unitsOf(stored.bonus) },
    at: timeOf(stored.at),
    fingerprints: fingerprintsOf(stored.fingerprints),
  };
}

/** @throws Error for a field that this version cannot read. */
export function readCredit(stored: StoredFields<CreditRecord>): CreditRecord {
  return {
    type: 'credit',
    outcome: outcomeOf(stored.outcome),
    currency: currencyOf(stored.currency),
    amount: unitsOf(stored.amount),
    serial: serialOf(stored.serial),
    purse: { real: unitsOf(stored.real), bonus: unitsOf(stored.bonus) },
    at: timeOf(stored.at),
    fingerprints: fingerprintsOf(stored.fingerprints),
  };
}

/** Of a credit, what a list needs: thousands are read for a page. @throws as `readCredit`, for these fields. */
export function readStakedCredit(
  stored: Pick<StoredFields<CreditRecord>, 'outcome' | 'currency' | 'amount'>,
): StakedCredit {
  return {
    type: 'credit',
    outcome: outcomeOf(stored.outcome),
    currency: currencyOf(stored.currency),
    amount: unitsOf(stored.amount),
  };
}

/** @throws Error for a field that this version cannot read. */
export function readEnd(stored: StoredFields<EndRecord>): EndRecord {
  return {
    type: 'end',
    outcome: outcomeOf(stored.outcome),
    at: timeOf(stored.at),
    fingerprints: fingerprintsOf(stored.fingerprints),
  };
}

/** @throws Error for a field that this version cannot read. */
export function readVoid(stored: StoredFields<VoidRecord>): VoidRecord {
  return {
    type: 'void',
    purse: { real: unitsOf(stored.real), bonus: unitsOf(stored.bonus) },
    at: timeOf(stored.at),
    fingerprints: fingerprintsOf(stored.fingerprints),
  };
}

/** The fields of a row with this many. @throws Error for a row of another length. */
export function fieldsOf(row: unknown, count: number): readonly unknown[] {
  if (!Array.isArray(row) || row.length !== count) throw unreadable('number of fields', row);
  return row;
}

/** Reads the name of a state. */
export function stateOf(text: unknown): RoundState {
  return nameIn(roundStates, text, 'state');
}

/** Reads the name of a refusal's reason. */
export function refusalOf(text: unknown): MovementRefusal {
  return nameIn(movementRefusals, text, 'reason of a refusal');
}

/** A list of texts, such as hashes. */
export function textsOf(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value)) throw unreadable(name, value);
  if (value.length === 0) return noTexts;
  return value.map((text) => textOf(text, name));
}

/** A text, which may be empty. */
export function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw unreadable(name, value);
  return value;
}

/** A flag. */
export function flagOf(value: unknown): boolean {
  if (typeof value !== 'boolean') throw unreadable('flag', value);
  return value;
}

/** Milliseconds since 1970. */
export function timeOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw unreadable('time', value);
  return value;
}

/** Nothing unreadable is guessed: the call ends as unknown (D7), and the log names the field. */
export function unreadable(name: string, value: unknown): Error {
  const text = typeof value === 'string' ? value : typeof value;
  return new Error(`A stored ${name} cannot be read by this version: ${text.slice(0, 64)}`);
}

const ownOutcomes: ReadonlySet<string> = new Set<RecordedOutcome>([
  'accepted',
  'unanswered',
  'pending',
]);
const fingerprintCharacters = signatureCharacters + bodyCharacters;

/** The one of these names that the text is. */
export function nameIn<T extends string>(names: readonly T[], text: unknown, name: string): T {
  const found = names.find((known) => known === text);
  if (found === undefined) throw unreadable(name, text);
  return found;
}

function outcomeOf(value: unknown): RecordedOutcome {
  const text = textOf(value, 'outcome');
  if (!ownOutcomes.has(text) && !Object.hasOwn(errorCatalogue, text)) {
    throw unreadable('outcome', text);
  }
  return text as ErrorCode;
}

function currencyOf(value: unknown): string {
  if (!isCurrency(value)) throw unreadable('currency', value);
  return value;
}

/** Units from decimal text, or from a value that the store has already read. */
export function unitsOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) throw unreadable('amount', value);
  // A number of 15 digits is exact, and read faster.
  return value.length > 15 ? BigInt(value) : BigInt(Number(value));
}

function serialOf(value: unknown): string | null {
  return value === null ? null : textOf(value, 'serial');
}

function fingerprintsOf(value: unknown): readonly string[] {
  const fingerprints = textsOf(value, 'list of fingerprints');
  const odd = fingerprints.find(({ length }) => length !== fingerprintCharacters);
  if (odd !== undefined) throw unreadable('fingerprint', odd);
  return fingerprints;
}
