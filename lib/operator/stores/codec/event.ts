import { emptyPurse, type Purse } from '../../../protocol/money/purse';
import {
  commitCauses,
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type Movement,
  type NewRecord,
  noTexts,
  type RoundChange,
  type VoidRecord,
} from '../../gameround';
import { changedRepairs, type CommittedChange } from '../../wallet';
import {
  flagOf,
  nameIn,
  readCredit,
  readDebit,
  readEnd,
  readVoid,
  stateOf,
  textOf,
  unreadable,
} from './record';
import { decodeRepair, encodeRepair } from './repairs';

/** What a commit knows of its event before the store has moved the money. */
export type EventChange = Pick<
  CommittedChange,
  'state' | 'gameCode' | 'records' | 'movements' | 'cause' | 'repairs'
>;

/**
 * A change as text, for stores that keep text: state, game, records, movements, and where it is no plain call its cause
 * and the repairs that it changed. What its debits take is not
 * in it: only the commit knows, and keeps it next to the text, real and bonus of each take in turn.
 */
export function encodeChange(change: RoundChange): string {
  const { after, records } = change;
  const movements = [...change.movements, ...(change.elsewhere ?? [])];
  const newRecords = records.filter(({ isRewritten }) => isRewritten !== true);
  const hashes = newRecords.map(({ hash }) => hash);
  const taken = new Set(movements.flatMap(({ kind, hash }) => (kind === 'take' ? [hash] : [])));
  const { cause = 'call' } = change;
  const repairs = changedRepairs(change.before.repairs, after.repairs);
  const isPlain = cause === 'call' && repairs.length === 0;
  return JSON.stringify([
    after.state,
    after.gameCode,
    newRecords.map((item) => recordRow(item, taken)),
    movements.map((movement) => movementRow(movement, hashes)),
    ...(isPlain ? [] : [cause, repairs.map(encodeRepair)]),
  ]);
}

/**
 * Decodes it.
 * @throws Error for any other text.
 */
export function decodeChange(text: string, taken: readonly bigint[]): EventChange {
  const [state, gameCode, recordRows, movementRows, cause = 'call', repairs = []] = rowIn(
    JSON.parse(text),
  );
  const records = rowIn(recordRows).map((row) => recordOf(rowIn(row)));
  let takes = 0;
  const movements = rowIn(movementRows).map((row) => {
    const [place, currency, ...given] = rowIn(row);
    const hash = typeof place === 'number' ? records[place]?.hash : place;
    const names = { hash: textOf(hash, 'hash'), currency: textOf(currency, 'currency') };
    if (given.length > 0) return { ...names, purse: purseOf(given) };
    const [real = 0n, bonus = 0n] = taken.slice(2 * takes, 2 * ++takes);
    return { ...names, purse: { real: -real, bonus: -bonus }, isTake: true };
  });
  const purses = new Map(
    movements.flatMap((one) => ('isTake' in one ? [[one.hash, one.purse] as const] : [])),
  );
  return {
    state: stateOf(state),
    gameCode: gameCode === null ? null : textOf(gameCode, 'game code'),
    records: records.map((item) => withTaken(item, purses)),
    movements: movements.map(({ hash, currency, purse }) => ({ hash, currency, purse })),
    cause: nameIn(commitCauses, cause, 'cause'),
    repairs: rowIn(repairs).map(decodeRepair),
  };
}

const letters = { debit: 'd', credit: 'c', end: 'e', void: 'v' } as const;

/** Letter, hash, time; then the members of the type. No purse for a debit whose money the commit takes. */
function recordRow({ hash, record }: NewRecord, taken: ReadonlySet<string>): readonly unknown[] {
  const { type, at } = record;
  const names = [letters[type], hash, at] as const;
  if (type === 'end') return [...names, record.outcome];
  const purse = [String(record.purse.real), String(record.purse.bonus)] as const;
  if (type === 'void') return [...names, ...purse];
  const { outcome, currency, amount, serial } = record;
  const shared = [...names, outcome, currency, String(amount), serial] as const;
  if (type === 'credit') return [...shared, ...purse];
  const own = [...shared, String(record.discount), record.first] as const;
  return taken.has(hash) ? own : [...own, ...purse];
}

/** The place of its record, or its hash where it has none; the currency; what is given, if it is known. */
function movementRow(movement: Movement, hashes: readonly string[]): readonly unknown[] {
  const { hash, currency } = movement;
  const place = hashes.indexOf(hash);
  const names = [place < 0 ? hash : place, currency] as const;
  if (movement.kind === 'take') return names;
  return [...names, String(movement.purse.real), String(movement.purse.bonus)];
}

/** Fields of a record that an event leaves out. */
const leftOut = { fingerprints: noTexts, delivery: '', behind: noTexts } as const;

function recordOf([letter, hash, at, ...fields]: readonly unknown[]): NewRecord {
  return { hash: textOf(hash, 'hash'), record: typedRecord(letter, at, fields) };
}

function typedRecord(
  letter: unknown,
  at: unknown,
  fields: readonly unknown[],
): DebitRecord | CreditRecord | EndRecord | VoidRecord {
  const { fingerprints } = leftOut;
  if (letter === 'e') return readEnd({ outcome: fields[0], at, fingerprints });
  if (letter === 'v') {
    return readVoid({ real: fields[0], bonus: fields[1], at, fingerprints });
  }
  const [outcome, currency, amount, serial, ...own] = fields;
  const shared = { outcome, at, currency, amount, serial, fingerprints };
  if (letter === 'c') return readCredit({ ...shared, real: own[0], bonus: own[1] });
  if (letter !== 'd') throw unreadable('type of a record', letter);
  const [discount, first, real = '0', bonus = '0'] = own;
  return readDebit({ ...shared, ...leftOut, discount, first: flagOf(first), real, bonus });
}

/** A record says what it took, a movement what it added. */
function withTaken(item: NewRecord, purses: ReadonlyMap<string, Purse>): NewRecord {
  const { hash, record } = item;
  const purse = purses.get(hash) ?? emptyPurse;
  if (record.type !== 'debit' || !purses.has(hash)) return item;
  return { hash, record: { ...record, purse: { real: -purse.real, bonus: -purse.bonus } } };
}

function purseOf([real, bonus]: readonly unknown[]): Purse {
  return { real: BigInt(textOf(real, 'amount')), bonus: BigInt(textOf(bonus, 'amount')) };
}

function rowIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable('event', value);
  return value;
}
