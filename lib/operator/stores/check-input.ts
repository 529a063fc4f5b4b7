import { type AmountInput, signedUnitsOf, unitsOf } from '../../protocol/money/amount';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import {
  type Actor,
  type BooksQuery,
  type CashOrder,
  type CashQuery,
  type CorrectionOrder,
  InvalidInputError,
  type NewPlayer,
  type PlayerKey,
  type RepairsQuery,
  type RoundByHash,
  type RoundKey,
  type RoundsQuery,
} from '../wallet';

/** Who did it and why, as far as a person did. */
export interface CheckedAct {
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** A checked cash order: signed units, the balance named. */
export interface CheckedOrder extends PlayerKey, CheckedAct {
  readonly kind: 'deposit' | 'withdrawal' | 'correction';
  readonly currency: string;
  /** Below zero to take. */
  readonly units: bigint;
  readonly reference: string;
  readonly balance: 'real' | 'bonus';
}

/** A checked new player: the balances in units. */
export interface CheckedPlayer extends PlayerKey, CheckedAct {
  readonly currency: string;
  readonly real: bigint;
  readonly bonus: bigint | null;
}

/** Most rows of a page of cash or rounds, and how many there are unless asked. */
const [maxRows, usualRows] = [200, 50];

/** The error of a value that is not of its form: {@link InvalidInputError} for a text, otherwise a TypeError. */
export function wrongForm(field: string, value: unknown, message: string): Error {
  return typeof value === 'string' ? new InvalidInputError(field, message) : new TypeError(message);
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the order. */
export function checkOrder(
  order: CashOrder,
  kind: 'deposit' | 'withdrawal',
  decimals: number,
): CheckedOrder {
  const names = checkOrderNames(order);
  const { by = null, reason = null } = order;
  const units = checkMoved(order.amount, decimals, unitsOf);
  const act = checkAct({ by, reason }, 1);
  return { ...names, ...act, kind, units: kind === 'deposit' ? units : -units };
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the correction. */
export function checkCorrection(order: CorrectionOrder, decimals: number): CheckedOrder {
  const names = checkOrderNames(order);
  const units = checkMoved(order.amount, decimals, signedUnitsOf);
  const { by, reason } = order;
  if (by === undefined || by === null) throw new TypeError('by is missing: who corrects');
  if (reason === undefined || reason === null) throw new TypeError('reason is missing');
  return { ...names, ...checkAct({ by, reason }, 10), kind: 'correction', units };
}

function checkOrderNames(
  order: CashOrder | CorrectionOrder,
): Pick<CheckedOrder, 'operatorId' | 'playerId' | 'currency' | 'reference' | 'balance'> {
  checkObject('the order', order);
  const { operatorId, playerId, currency, reference, balance = 'real' } = order;
  checkIdentifiers({ operatorId, playerId, reference });
  checkCurrency(currency);
  if (balance !== 'real' && balance !== 'bonus') {
    throw wrongForm('balance', balance, "balance must be 'real' or 'bonus'");
  }
  return { operatorId, playerId, currency, reference, balance };
}

type ReadAmount = (amount: AmountInput, decimals: number) => bigint;

function checkMoved(amount: AmountInput, decimals: number, read: ReadAmount): bigint {
  const units = checkAmount('amount', amount, decimals, read);
  if (units === 0n) throw wrongForm('amount', amount, 'an amount of 0 moves nothing');
  return units;
}

/** The units of an amount. @throws InvalidInputError or TypeError for a wrong one. */
export function checkAmount(
  field: string,
  amount: AmountInput,
  decimals: number,
  read: ReadAmount,
): bigint {
  if (amount === undefined) throw new TypeError(`${field} is missing`);
  try {
    return read(amount, decimals);
  } catch (error) {
    throw wrongForm(field, amount, (error as TypeError).message);
  }
}

/** @throws InvalidInputError or TypeError that names what is wrong in the person or the reason. */
export function checkAct({ by, reason }: CheckedAct, shortest: number): CheckedAct {
  if (by !== null) checkActor(by);
  if (reason !== null && !isPlainText(reason, shortest, 500)) {
    const rule = `reason must be ${shortest} to 500 characters, without control characters`;
    throw wrongForm('reason', reason, rule);
  }
  return { by: by === null ? null : { id: by.id, name: by.name }, reason };
}

/**
 * `field` is what the person is called in the error.
 * @throws InvalidInputError or TypeError that names what is missing or wrong in the person.
 */
export function checkActor(actor: Actor, field = 'by'): void {
  checkObject(field, actor);
  const { id, name } = actor;
  checkIdentifiers({ [`${field}.id`]: id });
  if (!isPlainText(id, 1, 128) || id.trim() !== id) {
    const rule = `${field}.id must be a text that can be read, without spaces around it`;
    throw wrongForm(`${field}.id`, id, rule);
  }
  if (name !== null && !isPlainText(name, 1, 128)) {
    const rule = `${field}.name must be null, or 1 to 128 characters without control characters`;
    throw wrongForm(`${field}.name`, name, rule);
  }
}

/** Control characters, ends of lines, and marks that show what follows in another order. */
const unreadable = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/**
 * Whether a value is a text that a person can read, of so many characters: spaces around it and marks
 * without width do not count towards the fewest.
 */
export function isPlainText(text: unknown, shortest: number, longest: number): text is string {
  if (typeof text !== 'string' || text.length > 2 * longest || !text.isWellFormed()) return false;
  const seen = Array.from(text.replace(/\p{Cf}/gu, '').trim());
  return seen.length >= shortest && Array.from(text).length <= longest && !unreadable.test(text);
}

/** @throws TypeError that names what is wrong in the query. */
export function checkCashQuery(query: CashQuery = {}): {
  readonly before: string | null;
  readonly limit: number;
} {
  checkObject('the query', query);
  const { before = null, limit = usualRows } = query;
  if (before !== null && typeof before !== 'string') throw wrongCursor();
  return { before, limit: checkLimit(limit) };
}

/** @throws TypeError that names what is wrong in the query. */
export function checkRoundsQuery(query: RoundsQuery | RepairsQuery = {}): {
  readonly cursor: string | null;
  readonly limit: number;
} {
  checkObject('the query', query);
  const { cursor = null, limit = usualRows } = query;
  return { cursor, limit: checkLimit(limit) };
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the query. */
export function checkRoundByHash(query: RoundByHash): void {
  checkPlayerKey(query);
  checkIdentifiers({ hash: query.hash });
}

function checkLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= maxRows) return limit;
  throw new TypeError(`limit must be a whole number from 1 to ${maxRows}`);
}

/** @throws InvalidInputError or TypeError that names what is wrong in the query. */
export function checkBooksQuery(query: BooksQuery = {}): {
  readonly operatorId: string | null;
  readonly playerId: string | null;
} {
  checkObject('the query', query);
  const { operatorId, playerId } = query;
  if (operatorId !== undefined) checkIdentifiers({ operatorId });
  if (playerId !== undefined) checkIdentifiers({ operatorId, playerId });
  return { operatorId: operatorId ?? null, playerId: playerId ?? null };
}

/** The error of a cursor that the store did not give. */
export function wrongCursor(): TypeError {
  return new TypeError('before must be the `next` of a page that this store gave for this player');
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the player. */
export function checkNewPlayer(player: NewPlayer, decimals: number): CheckedPlayer {
  checkObject('the player', player);
  const { operatorId, playerId, currency, balances } = player;
  checkIdentifiers({ operatorId, playerId });
  checkCurrency(currency);
  checkObject('balances', balances);
  const real = checkAmount('balances.real', balances.real, decimals, unitsOf);
  const bonus =
    balances.bonus === undefined
      ? null
      : checkAmount('balances.bonus', balances.bonus, decimals, unitsOf);
  const { by = null, reason = null } = player;
  return { operatorId, playerId, currency, real, bonus, ...checkAct({ by, reason }, 1) };
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the player's key. */
export function checkPlayerKey(player: PlayerKey): void {
  checkObject('the player', player);
  checkIdentifiers({ operatorId: player.operatorId, playerId: player.playerId });
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the round's key. */
export function checkRoundKey(round: RoundKey): void {
  checkObject('the round', round);
  const { operatorId, playerId, gameRound } = round;
  checkIdentifiers({ operatorId, playerId, gameRound });
}

/** Most records of a player's blocks that are listed. */
export const maxBlocks = 50;

/** @throws InvalidInputError or TypeError that names the missing or invalid identifier (D2.6). */
export function checkIdentifiers(identifiers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(identifiers)) {
    if (isIdentifier(value)) continue;
    if (value === undefined) throw new TypeError(`${name} is missing`);
    const rule = `${name} must be 1 to 128 characters, without # or control characters`;
    throw wrongForm(name, value, rule);
  }
}

/** @throws InvalidInputError or TypeError that names what is wrong in the list. */
export function checkOperatorIds(operatorIds: readonly string[]): void {
  if (!Array.isArray(operatorIds)) throw new TypeError('operatorIds must be a list of identifiers');
  for (const [at, operatorId] of (operatorIds as readonly string[]).entries()) {
    checkIdentifiers({ [`operatorIds[${at}]`]: operatorId });
  }
}

/** @throws TypeError unless it is an object. */
export function checkObject(name: string, value: unknown): void {
  if (value === undefined || value === null) throw new TypeError(`${name} is missing`);
  if (typeof value !== 'object') throw new TypeError(`${name} must be an object`);
}

/** @throws InvalidInputError or TypeError unless it is a currency. */
export function checkCurrency(currency: unknown): void {
  if (currency === undefined) throw new TypeError('currency is missing');
  if (!isCurrency(currency)) {
    throw wrongForm('currency', currency, 'currency must be three upper-case letters');
  }
}

/** Most quarters of an hour that are read at once: 416 days. */
const mostQuarters = 40_000;

/** @throws TypeError unless these are quarters of an hour, in order, and not too many. */
export function checkQuarters(from: number, to: number): void {
  const isGiven = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to;
  if (isGiven && to - from <= mostQuarters) return;
  throw new TypeError(`from and to must be quarters of an hour, at most ${mostQuarters} apart`);
}

/** @throws TypeError unless these are at least two quarters of an hour in rising order, not too far apart. */
export function checkBounds(bounds: readonly number[]): { from: number; to: number } {
  const [from = -1, to = -1] = [bounds[0], bounds.at(-1)];
  const isRising = bounds.every(
    (bound, at) => Number.isSafeInteger(bound) && (at === 0 || (bounds[at - 1] ?? bound) < bound),
  );
  if (bounds.length < 2 || !isRising) {
    throw new TypeError('bounds must be quarters of an hour in rising order, at least two');
  }
  checkQuarters(from, to);
  return { from, to };
}
