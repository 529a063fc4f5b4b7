import type { Movement, NewRecord, RoundChange } from '../../../gameround';
import {
  createActEvent,
  createRoundEvent,
  createRoundPointer,
  type RoundEvent,
  type WalletEvent,
} from '../../../wallet';
import { decodeAct } from '../../codec/act';
import { decodeChange, encodeChange, type EventChange } from '../../codec/event';
import { hashOfField } from './hash-fields';
import { decodeVersion } from './head';
import { readAccountName, readRoundName } from './keys';
import { decodeAccounts, decodeTransaction, decodeVoid } from './record';
import { decodeTime } from './time';

/**
 * The text of an event in a stream, in lines: accounts, end of the round's key, head without sums, what
 * {@link encodeEventChange} gives, and then either what the takes took or the fields that the commit wrote.
 * The script builds it from what it has already, so an event costs the caller almost nothing. A
 * pointer has the key and the head alone.
 */

/** Begins the JSON of {@link encodeChange}, and no short text. */
const jsonStart = '[';
const noGameCode = '%';
/** Lines before the fields of a short text. */
const fieldsFrom = 4;

/**
 * What commit.lua adds to the event of a change. Short if its fields hold the records: the game code, and of
 * each movement `record/currency`, with `/real/bonus` unless it takes. JSON for any other change.
 * @param takenAt the places of the records to which the script appends what they took, by hash.
 */
export function encodeEventChange(
  change: RoundChange,
  takenAt: ReadonlyMap<string, number>,
): string {
  return shortText(change, takenAt) ?? encodeChange(change);
}

function shortText(
  { before, after, movements, records, elsewhere = [], cause = 'call' }: RoundChange,
  takenAt: ReadonlyMap<string, number>,
): string | null {
  const { gameCode, pending, repairs } = after;
  if (
    cause !== 'call' ||
    elsewhere.length > 0 ||
    pending !== before.pending ||
    repairs !== before.repairs
  )
    return null;
  if (gameCode?.includes('\n') === true) return null;
  for (const { hash, isRewritten } of records) {
    if (isRewritten === true || hash.includes('\n')) return null;
  }
  let text = gameCode === null ? noGameCode : encodeURIComponent(gameCode);
  for (const movement of movements) {
    const place = placeOf(movement, records);
    if (place < 0) return null;
    text += ` ${place}/${movement.currency}`;
    if (movement.kind !== 'take') text += `/${movement.purse.real}/${movement.purse.bonus}`;
    else if ((takenAt.get(movement.hash) ?? 0) === 0) return null;
  }
  return text;
}

/** The place of the record that has the hash of the movement; of a take, that of the debit. */
function placeOf({ kind, hash }: Movement, records: readonly NewRecord[]): number {
  return records.findIndex(
    (item) => item.hash === hash && (kind !== 'take' || item.record.type === 'debit'),
  );
}

/** Whose event it is, and when it was written. */
interface EventPlace {
  readonly operatorId: string;
  readonly at: number;
}

/** The id of an entry, as read.lua replies. */
export function entryId(entry: string): string {
  return entry.slice(0, entry.indexOf(' '));
}

/** The event in an entry of an operator's stream, as read.lua replies. @throws Error for any other entry. */
export function decodeEntry(operatorId: string, entry: string, decimals: number): WalletEvent {
  const [afterId, afterName] = [entry.indexOf(' '), entry.indexOf(' ', entry.indexOf(' ') + 1)];
  const afterTime = entry.indexOf(' ', afterName + 1);
  const [name, time] = [entry.slice(afterId + 1, afterName), entry.slice(afterName + 1, afterTime)];
  const text = entry.slice(afterTime + 1);
  // An entry of an earlier version has no time but that of its id.
  const at = time === '' ? Number(entry.slice(0, entry.indexOf('-'))) : decodeTime(time);
  const decode = name === 'a' ? decodeActEvent : decodeEvent;
  return decode(text, { operatorId, at }, decimals);
}

/** Lines: accounts, end of the account's key, act, and of a block its number. */
function decodeActEvent(text: string, { operatorId, at }: EventPlace, decimals: number) {
  const [accounts = '', key = '', act = '', number] = text.split('\n');
  const written = {
    player: { operatorId, playerId: readAccountName(key) },
    act: decodeAct(act),
    number: Number(number ?? 0),
    at,
    accounts: decodeAccounts(accounts.split('|')) ?? [],
  };
  return createActEvent(written, decimals);
}

function decodeEvent(text: string, { operatorId, at }: EventPlace, decimals: number): RoundEvent {
  const lines = text.split('\n');
  const [accounts = '', key = '', head = '', changeText] = lines;
  const { playerId, gameRound } = readRoundName(key);
  const round = { operatorId, playerId, gameRound };
  const { version, state } = decodeVersion(head);
  if (changeText === undefined) {
    return createRoundPointer({ round, version, state, at }, decimals);
  }
  const known = decodeAccounts(accounts === '' ? [] : accounts.split('|'));
  if (changeText.startsWith(jsonStart)) {
    const taken = (lines[4] ?? '').split(' ').filter(Boolean).map(BigInt);
    const change = decodeChange(changeText, taken);
    return createRoundEvent({ ...change, round, version, state, at, accounts: known }, decimals);
  }
  const { gameCode, records, movements } = decodeShort(changeText, lines, gameRound);
  return createRoundEvent(
    { round, version, state, gameCode, at, records, movements, accounts: known },
    decimals,
  );
}

/** Of a short text; the fields that the commit wrote are the lines after it. */
function decodeShort(
  changeText: string,
  lines: readonly string[],
  gameRound: string,
): Omit<EventChange, 'state'> {
  const [gameCode = noGameCode, ...moved] = changeText.split(' ');
  const records: NewRecord[] = [];
  for (let at = fieldsFrom; at + 1 < lines.length; at += 2) {
    const [name, value] = [lines[at] ?? '', lines[at + 1] ?? ''];
    const hash = hashOfField(name, gameRound);
    if (hash === null) continue;
    const isVoid = name.startsWith('v') || name.startsWith('V');
    records.push({ hash, record: isVoid ? decodeVoid(value) : decodeTransaction(value) });
  }
  return {
    gameCode: gameCode === noGameCode ? null : decodeURIComponent(gameCode),
    records,
    movements: moved.map((movement) => movementOf(movement, records)),
  };
}

function movementOf(text: string, records: readonly NewRecord[]): EventChange['movements'][number] {
  const [place = '', currency = '', real, bonus] = text.split('/');
  const item = records[Number(place)];
  if (item === undefined) throw new Error('a movement of an event cannot be read');
  const { hash, record } = item;
  if (real !== undefined && bonus !== undefined) {
    return { hash, currency, purse: { real: BigInt(real), bonus: BigInt(bonus) } };
  }
  if (record.type !== 'debit') throw new Error('a take of an event cannot be read');
  const { purse } = record;
  return { hash, currency, purse: { real: -purse.real, bonus: -purse.bonus } };
}
