import { InvalidRequestError } from '../../protocol/client/errors';
import { type Outgoing, parseBody, writeBody, writeQuery } from '../../protocol/client/outgoing';
import { maxDecimals, parseAmount } from '../../protocol/money/amount';
import { ExactNumber, type Writable } from '../../protocol/json/write';
import { findUnwritable, isPlainObject } from '../../protocol/json/exact';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import { parseTimestamp, readNamedParts } from '../../protocol/signature';
import { type MessageName, messageSchemas } from '../../protocol/operator-api/schemas';
import { isPath, knownCall } from './known-call';

const identifierRule = 'must be 1 to 128 characters, without # or control characters';

/** @throws InvalidRequestError that names the wrong field. */
export function readFreerounds(request: FreeroundsRequest): Outgoing {
  const operation = 'assignPlayerFreerounds';
  const given = recordOf(operation, request);
  const stake = stakeText(operation, given.stake);
  const expires = expiresText(operation, given.expires);
  const message = { ...given, stake: Number(stake), expires };
  checkShape(operation, 'assign-free-rounds', message);
  const { playerId, gameCode, serial, currency, count } = request;
  checkIdentifiers(operation, { playerId, gameCode, serial });
  checkCurrency(operation, currency);
  const exact = { playerId, gameCode, serial, currency, stake: new ExactNumber(stake), count };
  return knownCall(operation, { ...exact, expires });
}

/** @throws InvalidRequestError that names the wrong field. */
export function readStatisticsRequest(request: StatisticsRequest): Outgoing {
  const operation = 'getStats';
  const given = recordOf(operation, request);
  checkShape(operation, 'statistics-request', given);
  const { groupBy, filterBy, showTotals, playerId } = request;
  if (playerId !== undefined) checkIdentifiers(operation, { playerId });
  const { dateFrom, dateToIncluding } = filterBy ?? {};
  for (const [name, day] of Object.entries({ dateFrom, dateToIncluding })) {
    if (day !== undefined && parseTimestamp(`${day}T00:00:00Z`) === null) {
      throw new InvalidRequestError(operation, `filterBy/${name}`, 'must be a real day');
    }
  }
  if (dateFrom !== undefined && dateToIncluding !== undefined && dateFrom > dateToIncluding) {
    const problem = 'must not be before dateFrom';
    throw new InvalidRequestError(operation, 'filterBy/dateToIncluding', problem);
  }
  checkWritable(operation, 'filterBy', filterBy);
  return knownCall(operation, { groupBy, filterBy, showTotals, playerId });
}

/** @throws InvalidRequestError that names the wrong field. */
export function readConfigurationRequest(request: GameConfigurationRequest): Outgoing {
  const operation = 'getGameConfiguration';
  const names = Object.keys(recordOf(operation, request));
  if (names.some((name) => name !== 'gameCode' && name !== 'currency')) {
    const problem = 'holds an unknown name; the names are gameCode, currency';
    throw new InvalidRequestError(operation, 'the request', problem);
  }
  const { gameCode, currency } = request;
  checkIdentifiers(operation, { gameCode });
  checkCurrency(operation, currency);
  return knownCall(operation, { gameCode, currency });
}

/** @throws InvalidRequestError that names the wrong field. */
export function readFurtherRequest(request: FurtherRequest): Outgoing {
  const { method, path, signedFields = [], isRepeatable = false } = recordOf('call', request);
  if (!isPath(path))
    throw new InvalidRequestError('call', 'path', 'must be a path such as /backoffice/getStats');
  const operation = path.slice(1);
  if (method !== 'GET' && method !== 'POST') {
    throw new InvalidRequestError(operation, 'method', 'must be GET or POST');
  }
  if (typeof isRepeatable !== 'boolean') {
    throw new InvalidRequestError(operation, 'isRepeatable', 'must be true or false');
  }
  if (!Array.isArray(signedFields) || !signedFields.every((name) => typeof name === 'string')) {
    throw new InvalidRequestError(operation, 'signedFields', 'must be a list of field names');
  }
  const [carrier, other] =
    method === 'GET' ? (['query', 'body'] as const) : (['body', 'query'] as const);
  if (request[other] !== undefined) {
    throw new InvalidRequestError(operation, other, `is not sent with ${method}`);
  }
  const message = request[carrier] ?? {};
  checkMessage(operation, carrier, message);
  const body = writeBody(operation, message);
  const signed = readNamedParts(signedFields, parseBody(operation, body));
  if (signed.parts === null) {
    const problem = 'is signed: it must be a number, or a text without # or control characters';
    throw new InvalidRequestError(operation, `${carrier}/${signed.field}`, problem);
  }
  const traits = {
    signed: { kind: 'parts', parts: signed.parts },
    isRepeatable,
    mayBeEmpty: true,
  } as const;
  if (method === 'POST') {
    return { operation, method, target: path, body, ...traits };
  }
  const target = path + writeQuery(Object.entries(message));
  return { operation, method, target, body: null, ...traits };
}

function recordOf<T extends object>(operation: string, request: T): Record<keyof T, unknown> {
  if (typeof request === 'object' && request !== null && !Array.isArray(request)) return request;
  throw new InvalidRequestError(operation, 'the request', 'must be an object');
}

function checkShape(operation: string, schema: MessageName, value: object): void {
  const defined = Object.entries(value).filter(([, member]) => member !== undefined);
  const fault = messageSchemas.locateFault(schema, Object.fromEntries(defined));
  if (fault === null) return;
  const field = fault.pointer === '' ? 'the request' : fault.pointer.slice(1);
  throw new InvalidRequestError(operation, field, fault.problem);
}

function checkIdentifiers(operation: string, identifiers: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(identifiers)) {
    if (!isIdentifier(value)) throw new InvalidRequestError(operation, name, identifierRule);
  }
}

function checkCurrency(operation: string, currency: unknown): void {
  if (isCurrency(currency)) return;
  throw new InvalidRequestError(operation, 'currency', 'must be three upper-case letters');
}

/** The stake as written on the wire; empty for a number that may be rounded (D2.5). */
function stakeText(operation: string, stake: unknown): string {
  const isWhole = typeof stake === 'bigint' || Number.isSafeInteger(stake);
  const text = typeof stake === 'string' ? stake : isWhole ? String(stake) : '';
  const decimals = (text.split('.')[1] ?? '').length;
  const isPlain = /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && decimals <= maxDecimals;
  const units = isPlain ? parseAmount(text, decimals) : null;
  if (units !== null && units > 0n) return text;
  const problem = `must be above 0: a decimal text such as '0.50', a bigint or a safe integer, at most 2^53-1 without the point and with at most ${maxDecimals} decimals`;
  throw new InvalidRequestError(operation, 'stake', problem);
}

function expiresText(operation: string, expires: unknown): string | undefined {
  if (expires === undefined) return undefined;
  const isDate = expires instanceof Date && !Number.isNaN(expires.getTime());
  const text = isDate ? expires.toISOString() : expires;
  if (typeof text === 'string' && parseTimestamp(text) !== null) return text;
  const problem = 'must be a Date or a strict ISO 8601 date-time, real in the calendar';
  throw new InvalidRequestError(operation, 'expires', problem);
}

function checkMessage(operation: string, carrier: 'query' | 'body', message: unknown): void {
  if (!isPlainObject(message))
    throw new InvalidRequestError(operation, carrier, 'must be an object');
  checkWritable(operation, carrier, message);
  if (carrier === 'body') return;
  for (const [name, value] of Object.entries(message)) {
    if (typeof value === 'string') continue;
    throw new InvalidRequestError(operation, `query/${name}`, 'must be a text');
  }
}

/** Refuses what writeJson would change or leave out. */
function checkWritable(operation: string, field: string, value: unknown): void {
  const fault = findUnwritable(value);
  if (fault === null) return;
  throw new InvalidRequestError(operation, `${field}${fault.pointer}`, fault.problem);
}

/** A package of free plays to grant (operator-api 4.3). */
export interface FreeroundsRequest {
  readonly playerId: string;
  readonly gameCode: string;
  /**
   * Idempotency key of the package, chosen by the operator: a repeated serial changes nothing. A UUID is
   * recommended.
   */
  readonly serial: string;
  /** Three upper-case letters. */
  readonly currency: string;
  /**
   * Stake of each play as the number on the wire, above 0: a decimal text such as `'0.50'`, sent and
   * signed as written, or a bigint or safe integer. Any other number is refused: a float is not exact.
   */
  readonly stake: string | bigint | number;
  /** Number of plays, at least 1. */
  readonly count: number;
  /** A Date, or a strict ISO 8601 date-time, sent as written. */
  readonly expires?: Date | string;
}

/** What getStats selects (operator-api 4.4); further keys are sent unchanged. */
export interface StatisticsFilter {
  /** First day, `YYYY-MM-DD`. */
  readonly dateFrom?: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly dateToIncluding?: string;
  readonly [key: string]: Writable;
}

/** What getStats asks (operator-api 4.4). */
export interface StatisticsRequest {
  readonly groupBy?: readonly string[];
  readonly filterBy?: StatisticsFilter;
  /** Unless set, records are grouped by day. */
  readonly showTotals?: boolean;
  readonly playerId?: string;
}

/** The game and currency of the configuration to read (operator-api 4.5). */
export interface GameConfigurationRequest {
  /** As returned by getGameList or passed to getGameURL. */
  readonly gameCode: string;
  /** Three upper-case letters. */
  readonly currency: string;
}

/** A call that the kit does not know, signed by the named fields. */
export type FurtherRequest = {
  /** Begins with a slash; appended to `baseUrl`. */
  readonly path: string;
  /**
   * The names of the signed members of query or body, in order, after the secret, X-H-AUTH-ID and
   * X-H-TIMESTAMP; none unless set. Each must be present, as a string or a number.
   */
  readonly signedFields?: readonly string[];
  /** Whether a retry is safe, so that a failed attempt is retried; false unless set. */
  readonly isRepeatable?: boolean;
} & (
  | {
      readonly method: 'GET';
      readonly query?: Readonly<Record<string, string>>;
      readonly body?: undefined;
    }
  | {
      readonly method: 'POST';
      readonly query?: undefined;
      readonly body?: { readonly [key: string]: Writable };
    }
);
