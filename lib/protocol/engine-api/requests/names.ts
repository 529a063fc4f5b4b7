import { listKnownNames, nameMeantBy } from '../../../platform/validation';
import {
  isJsonObject,
  isPlainObject,
  type JsonDocument,
  type JsonValue,
  MessageFault,
} from '../../json';
import { payloadsOf, type PostedCall } from './read';

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
export function checkNames(name: PostedCall, request: object, payloads: readonly string[]): void {
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
