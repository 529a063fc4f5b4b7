import { ExactNumber, type Writable, writeJson } from '../json/write';
import { findUnwritable, isPlainObject } from '../json/exact';
import { MessageFault } from '../json/documents';
import { isJsonObject, type JsonDocument, type JsonValue, parseJson } from '../json/parse';
import { payloadsOf, type PostedCall, readBody, readSettings } from './read-request';
import { listKnownNames, nameMeantBy } from '../../platform/validation';

const token = ['token'];
const round = [...token, 'gameRound'];
const start = [
  ...token,
  'rngResult',
  'debitInformation',
  'creditInformation',
  'endGame',
  'closeOpenGame',
  'useJackpot',
  'betData',
  'externalGameProviderRoundId',
];
const transaction = 'externalGameProviderTransactionId';

/** The members of each call's body (C1). */
const bodies: { readonly [Name in PostedCall]: readonly string[] } = {
  startGameRound: start,
  startGameOrAddBet: start,
  addWin: [...round, 'rngResult', 'collect', transaction, 'jackpotPayout'],
  endGameRound: [...round, transaction],
  voidGameRound: [...round, transaction],
  collectWin: [...round, 'amount', transaction],
  wagerWin: [...round, 'rngResult', 'wagerInformation'],
  addSpinCounterGameState: [...round, 'counterType', 'rngResult', 'gameStateResult'],
  getGameRoundInfo: round,
  getGameRoundHistoryInfo: round,
  getUncollectedAmount: round,
  getAvailableSpinCounter: [...round, 'counterType'],
  getTokenForGameRound: ['gameRound'],
  getBalance: token,
  getTokenData: token,
  getLastGameRounds: [...token, 'count'],
  getPlayerData: [...token, 'currency', 'stake'],
  setPlayerData: [...token, 'data'],
  getRandomResult: [...token, 'rngEndPoint', 'rngPayload'],
  testPing: ['testData'],
};

/** The members of what is inside a body, by the name it has there. */
const inside: Readonly<Record<string, readonly string[]>> = {
  rngResult: ['rngCallId', 'result', 'winAmount', 'betData'],
  result: ['awarded', 'used'],
  debitInformation: ['debitAmount', 'currency', transaction, 'useTicketInfo'],
  useTicketInfo: ['useTicket'],
  creditInformation: ['creditAmount', 'currency', transaction, 'jackpotPayout'],
  wagerInformation: [
    'wagerAmount',
    'winAmount',
    'currency',
    'status',
    transaction,
    'jackpotPayout',
  ],
  jackpotPayout: ['jackpotId', 'jackpotMode'],
  data: ['data', 'currency', 'stake', 'updated', 'expires'],
  rngPayload: ['count', 'min', 'max'],
};

/**
 * Refuses members that the call does not have: the RGS would ignore them, and with `colect` instead of
 * `collect` a round would stay open. The unknown name is not repeated.
 * @param payloads Where the sender's own JSON is.
 * @throws MessageFault that lists the names, and a likely one.
 */
function checkNames(name: PostedCall, request: object, payloads: readonly string[]): void {
  checkMembers(request, bodies[name], payloads, '');
}

/** Unknown names of an object that are looked at: more would be a way to spend time. */
const mostUnknown = 20;

/**
 * The member that a request almost has, such as `collect` where it holds `colect`, by its path; null if there is
 * none. What is like no member may be one of a newer specification (E4.3).
 */
export function memberMeant(name: PostedCall, { value }: JsonDocument): string | null {
  return meantIn(value, bodies[name], payloadsOf(name), '');
}

function meantIn(
  value: JsonValue,
  known: readonly string[],
  payloads: readonly string[],
  path: string,
): string | null {
  if (!isJsonObject(value)) return null;
  const given = Object.keys(value).filter((name) => value[name] !== null);
  const unknown = given.filter((name) => !known.includes(name)).slice(0, mostUnknown);
  for (const name of unknown) {
    const meant = nameMeantBy(name, given, known);
    if (meant !== null) return path + meant;
  }
  for (const name of known) {
    const [below, member] = [inside[name], value[name] ?? null];
    if (below === undefined || payloads.includes(path + name)) continue;
    for (const item of Array.isArray(member) ? member : [member]) {
      const meant = meantIn(item, below, payloads, `${path}${name}/`);
      if (meant !== null) return meant;
    }
  }
  return null;
}

function checkMembers(
  value: object,
  known: readonly string[],
  payloads: readonly string[],
  path: string,
): void {
  const names = Object.keys(value);
  if (!names.every((name) => known.includes(name))) {
    const help = listKnownNames('the names', names, known);
    throw new MessageFault(path === '' ? '' : `/${path}`, `holds an unknown name; ${help}`);
  }
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}/${name}`;
    const below = inside[name];
    if (below === undefined || payloads.includes(at)) continue;
    for (const item of Array.isArray(member) ? (member as unknown[]) : [member]) {
      if (isPlainObject(item)) checkMembers(item, below, payloads, at);
    }
  }
}

/** The members that hold an amount: a bigint, a safe integer or a text of digits becomes a JSON integer. */
const amounts = ['debitAmount', 'creditAmount', 'winAmount', 'wagerAmount', 'amount', 'stake'];

/**
 * The body of a call as a game provider sends it: members by their names on the wire, amounts as bigint,
 * safe integer or text of digits, `expires` as a Date too. Undefined members are left out. The body is read
 * as the RGS will read it, so that what it refuses for its form is not sent; nor is a member that the call
 * does not have.
 * @throws MessageFault with the wrong field.
 */
export function writeRequest(name: PostedCall, request: object): string {
  const payloads = payloadsOf(name);
  if (!isPlainObject(request)) throw new MessageFault('', 'must be an object');
  checkNames(name, request, payloads);
  const message = onWire(request, payloads, '');
  const fault = findUnwritable(message);
  if (fault !== null) throw new MessageFault(fault.pointer, fault.problem);
  const body = writeJson(message as Writable);
  readBody(name, parsed(body));
  return body;
}

/**
 * The query of getOperatorSettings with its question mark.
 * @throws MessageFault with the wrong field.
 */
export function writeSettingsQuery(request: object): string {
  const texts = Object.entries(request).filter(([, value]) => typeof value === 'string');
  const { game, operator, currency } = readSettings(new Map(texts as [string, string][]));
  return `?${new URLSearchParams({ game, operator, currency }).toString()}`;
}

/** A value with exact amounts and times as texts; what is below `payloads` stays as it is. */
function onWire(value: unknown, payloads: readonly string[], path: string): unknown {
  if (payloads.includes(path)) return value;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (amounts.includes(name)) return amountOnWire(value);
  if (name === 'expires' && value instanceof Date) return timeOnWire(value);
  if (Array.isArray(value)) return value.map((item) => onWire(item, payloads, path));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    return [key, onWire(member, payloads, path === '' ? key : `${path}/${key}`)] as const;
  });
  return Object.fromEntries(members);
}

/** What is not an amount stays, to be refused by name. */
function amountOnWire(value: unknown): unknown {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value);
  return isWhole || isDigits ? new ExactNumber(String(value)) : value;
}

function timeOnWire(time: Date): unknown {
  return Number.isNaN(time.getTime()) ? 'not a time' : time.toISOString();
}

function parsed(body: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(body);
  } catch {
    throw new MessageFault('', 'has a forbidden key or more than 16 levels');
  }
}
