import { readExactAmount } from '../../../protocol/json/exact';
import { plainUnits } from '../../../protocol/money/plain-units';
import { ReconciliationFailure } from './failure';

/** What one transaction of an event adds to its round; amounts in units, exact below 2^53. */
export type EntryText = readonly [
  /**
   * A debit; one without an answer, or a first one that was refused; another refused debit; a credit, a refused credit, a
   * void.
   */
  kind: 'd' | 'u' | 'x' | 'c' | 'r' | 'v',
  hash: string,
  /** Of a debit net of its discount; of a void what it moved. */
  units: number,
  currency: string,
  isFree: 0 | 1,
  isFirst: 0 | 1,
  at: number,
];

/** What a repair moved; `by` names who proposed and who decided, where the event has it. */
export type RepairText = readonly [
  id: string,
  units: number,
  currency: string,
  by: string | null,
  /** When it was decided, or taken back by a void; null if the event does not say. */
  at: number | null,
];

/** What an event of a round adds to it, as a line of a spool. */
export type EventText = readonly [
  round: string,
  player: string,
  version: number,
  at: number,
  game: string | null,
  state: string,
  /** Whether it is the whole round so far. */
  isWhole: 0 | 1,
  entries: readonly EntryText[],
  repairs: readonly RepairText[],
];

/** An event, as far as it matters here. */
export interface ReadEvent {
  readonly operatorId: string;
  readonly at: number;
  /** Null of an event that is not of a round. */
  readonly text: EventText | null;
  /** The event as it was read. */
  readonly members: Members;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a line of JSON with an event. Members that are not known are ignored.
 * @throws ReconciliationFailure that says what is wrong, without repeating the line.
 */
export function readEventLine(line: string, decimals: number): ReadEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ReconciliationFailure('the line is not JSON');
  }
  return readEvent(value, decimals);
}

/** Reads an event, as {@link readEventLine} does. */
export function readEvent(value: unknown, decimals: number): ReadEvent {
  const event = membersOf(value, 'the line');
  const operatorId = textOf(event, 'operatorId');
  const at = timeOf(event, 'at');
  if (textOf(event, 'type') !== 'round') return { operatorId, at, text: null, members: event };
  const pointed = event['round'];
  if (pointed === null) {
    throw new ReconciliationFailure(
      'the event points to a round that was deleted: its content is lost',
    );
  }
  const isWhole = pointed !== undefined;
  const source = isWhole ? membersOf(pointed, 'round') : event;
  const game = source['gameCode'];
  const text: EventText = [
    textOf(event, 'gameRound'),
    textOf(event, 'playerId'),
    wholeOf(event, 'version'),
    at,
    typeof game === 'string' ? game : null,
    textOf(source, 'state'),
    isWhole ? 1 : 0,
    entriesOf(source, at, event['at'], decimals),
    isWhole ? repairsOfRound(source, decimals) : repairsOfEvent(event, decimals),
  ];
  return { operatorId, at, text, members: event };
}

/** @param atText The time of its event, `at`, as a text: most transactions have the same. */
function entriesOf(source: Members, at: number, atText: unknown, decimals: number): EntryText[] {
  const entries: EntryText[] = [];
  for (const one of listOf(source, 'transactions')) {
    const entry = entryOf(one, at, atText, decimals);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

/** What a transaction adds; null if that is nothing. */
function entryOf(one: Members, at: number, atText: unknown, decimals: number): EntryText | null {
  const type = textOf(one, 'type');
  const isAccepted = one['outcome'] === 'accepted';
  const hash = textOf(one, 'hash');
  const ownAt = one['at'] === undefined || one['at'] === atText ? at : timeOf(one, 'at');
  if (type === 'void') return ['v', hash, movedOf(one, decimals), '', 0, 0, ownAt];
  if (type === 'credit') {
    const units = unitsOf(one, 'amount', decimals);
    const kind = isAccepted ? 'c' : 'r';
    return [kind, hash, units, textOf(one, 'currency'), 0, 0, ownAt];
  }
  if (type !== 'debit') return null;
  if (!isAccepted) {
    // A refused follow-up says nothing of whether the round has its beginning.
    const isRefused = one['outcome'] !== 'unanswered' && one['outcome'] !== 'pending';
    const isKept = !isRefused || one['isFirstDebit'] === true;
    return [isKept ? 'u' : 'x', hash, 0, '', 0, 0, ownAt];
  }
  const discount = one['discount'] === undefined ? 0 : unitsOf(one, 'discount', decimals);
  const net = unitsOf(one, 'amount', decimals) - discount;
  const isFree = net === 0 && one['serial'] !== undefined ? 1 : 0;
  const isFirst = one['isFirstDebit'] === true ? 1 : 0;
  return ['d', hash, net, textOf(one, 'currency'), isFree, isFirst, ownAt];
}

const repairPrefix = 'repair#';

/** What repairs moved, by the movements; who made them, by the repairs if the event has them. */
function repairsOfEvent(event: Members, decimals: number): RepairText[] {
  const decided = new Map<string, Members>();
  for (const one of listOf(event, 'repairs')) decided.set(textOf(one, 'id'), one);
  const order = listOf(event, 'transactions').find(({ type }) => type === 'void');
  const repairs: RepairText[] = [];
  for (const one of listOf(event, 'movements')) {
    const hash = textOf(one, 'hash');
    if (!hash.startsWith(repairPrefix)) continue;
    const id = hash.slice(repairPrefix.length);
    const units = unitsOf(one, 'real', decimals) + unitsOf(one, 'bonus', decimals);
    const repair = decided.get(id) ?? {};
    const at = units < 0 ? timeIn(order ?? {}, 'at') : timeIn(repair, 'decidedAt');
    repairs.push([id, units, textOf(one, 'currency'), peopleOf(repair), at]);
  }
  return repairs;
}

function repairsOfRound(round: Members, decimals: number): RepairText[] {
  return listOf(round, 'repairs').flatMap((one): RepairText[] => {
    const { status, kind } = one;
    const isBack = status === 'takenBack';
    if ((status !== 'done' && !isBack) || kind !== 'pay') return [];
    const moves = membersOf(one['moves'], 'moves');
    const units = unitsOf(moves, 'real', decimals) + unitsOf(moves, 'bonus', decimals);
    const currency = String(one['currency'] ?? round['currency']);
    const [id, by, at] = [textOf(one, 'id'), peopleOf(one), timeIn(one, 'decidedAt')];
    const paid: RepairText = [id, units, currency, by, at];
    return isBack ? [paid, [id, -units, currency, by, voidedAfter(round, at ?? 0)]] : [paid];
  });
}

/** When the first void came after this time: what took back a repair, but where voids of other debits came before. */
function voidedAfter(round: Members, at: number): number | null {
  const voids = listOf(round, 'transactions').filter(({ type }) => type === 'void');
  const times = voids.map((one) => timeIn(one, 'at') ?? at).filter((time) => time >= at);
  return times.length === 0 ? null : Math.min(...times);
}

function peopleOf(repair: Members): string | null {
  const ids = ['proposedBy', 'decidedBy'].flatMap((name) => {
    const id = (Object(repair[name]) as Members)['id'];
    return typeof id === 'string' ? [id] : [];
  });
  return ids.length === 0 ? null : ids.join(', ');
}

function movedOf(one: Members, decimals: number): number {
  const moved = membersOf(one['moved'], 'moved');
  return unitsOf(moved, 'real', decimals) + unitsOf(moved, 'bonus', decimals);
}

function membersOf(value: unknown, name: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new ReconciliationFailure(`${name} is not an object`);
}

/** A list of objects; empty if it is absent. */
function listOf(object: Members, name: string): readonly Members[] {
  const list = object[name] ?? none;
  if (!Array.isArray(list)) throw new ReconciliationFailure(`${name} is not a list`);
  for (const one of list as readonly unknown[]) membersOf(one, name);
  return list as readonly Members[];
}

const none: readonly never[] = [];

function textOf(object: Members, name: string): string {
  const text = object[name];
  if (typeof text === 'string' && text.length <= longestText) return text;
  throw new ReconciliationFailure(`${name} is not a text of at most ${longestText} characters`);
}

/** Longer than any identifier of the protocol. */
const longestText = 512;

function wholeOf(object: Members, name: string): number {
  const value = object[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new ReconciliationFailure(`${name} is not a whole number`);
}

function timeOf(object: Members, name: string): number {
  const at = Date.parse(textOf(object, name));
  if (!Number.isNaN(at)) return at;
  throw new ReconciliationFailure(`${name} is not a time`);
}

/** A time that may be absent. */
function timeIn(object: Members, name: string): number | null {
  return typeof object[name] === 'string' ? timeOf(object, name) : null;
}

function unitsOf(object: Members, name: string, decimals: number): number {
  const text = textOf(object, name);
  const units = plainUnits(text, decimals);
  if (units !== null) return units;
  try {
    return Number(readExactAmount(text, decimals));
  } catch {
    throw new ReconciliationFailure(
      `${name} is not an amount with at most ${decimals} decimals: --decimals sets more`,
    );
  }
}
