import { Fields } from '../json/fields';
import type { JsonDocument, JsonValue } from '../json/parse';
import { levelsOf, MessageFault, presentIn } from '../json/documents';
import { type EngineCall, type EngineRequests, type EngineSchema, engineSchemas } from './requests';
import {
  addSpins,
  addWin,
  collectWin,
  endOrVoid,
  tokenAndRound,
  wagerWin,
  startOf,
} from './starts';
import { parseTimestamp } from '../signature';
import { EngineRefusedError } from './errors';

/** The calls whose request is a body; that of getOperatorSettings is a query. */
export type PostedCall = Exclude<EngineCall, 'getOperatorSettings'>;

/** How a body becomes a request. */
interface Form<Request> {
  readonly schema: EngineSchema;
  /** Where the sender's own JSON is, which stays as it is; paths such as `data/data`. */
  readonly payloads: readonly string[];
  readonly read: (fields: Fields) => Request;
}

const draw = ['rngResult/result'];

const forms: { readonly [Name in PostedCall]: Form<EngineRequests[Name]> } = {
  startGameRound: form('start-game-round', (fields) => startOf('startGameRound', fields), draw),
  startGameOrAddBet: form(
    'start-game-or-add-bet',
    (fields) => startOf('startGameOrAddBet', fields),
    draw,
  ),
  addWin: form('add-win', addWin, draw),
  endGameRound: form('end-or-void', (fields) => endOrVoid('endGameRound', fields)),
  voidGameRound: form('end-or-void', (fields) => endOrVoid('voidGameRound', fields)),
  collectWin: form('collect-win', collectWin),
  wagerWin: form('wager-win', wagerWin, draw),
  addSpinCounterGameState: form('add-spin-counter-game-state', addSpins, ['gameStateResult']),
  getGameRoundInfo: form('token-and-round', tokenAndRound),
  getGameRoundHistoryInfo: form('token-and-round', tokenAndRound),
  getUncollectedAmount: form('token-and-round', tokenAndRound),
  getAvailableSpinCounter: form('get-available-spin-counter', (fields) => ({
    ...tokenAndRound(fields),
    counterType: fields.text('counterType'),
  })),
  getTokenForGameRound: form('get-token-for-game-round', (fields) => ({
    gameRound: fields.text('gameRound'),
  })),
  getBalance: form('token-only', tokenOnly),
  getTokenData: form('token-only', tokenOnly),
  getLastGameRounds: form('get-last-game-rounds', getLastGameRounds),
  getPlayerData: form('get-player-data', getPlayerData),
  setPlayerData: form('set-player-data', setPlayerData, ['data/data']),
  getRandomResult: form('get-random-result', getRandomResult),
  testPing: form('test-ping', (fields) => ({ testData: fields.json('testData') }), ['testData']),
};

/**
 * Reads the body of a call in exact terms (E4, C1). Members that are null are absent, unknown ones are
 * ignored; what is the sender's own JSON is kept as its text.
 * @throws EngineRefusedError 19, with the wrong field and its rule.
 */
export function readRequest<Name extends PostedCall>(
  name: Name,
  document: JsonDocument,
): EngineRequests[Name] {
  return orRefused(() => readBody(name, document));
}

/** The names of the calls with a body. */
export const postedCalls = Object.keys(forms) as readonly PostedCall[];

/** The schema of the body of a call. */
export function requestSchemaOf(name: PostedCall): EngineSchema {
  return forms[name].schema;
}

/** Where the sender's own JSON is in the body of a call. */
export function payloadsOf(name: PostedCall): readonly string[] {
  return forms[name].payloads;
}

/** The same for whom a fault is no refusal. @throws MessageFault */
export function readBody<Name extends PostedCall>(
  name: Name,
  document: JsonDocument,
): EngineRequests[Name] {
  const { schema, payloads, read } = forms[name];
  const fields = Fields.of(document);
  check(schema, document.value, payloads);
  return read(fields);
}

/**
 * Reads the query of getOperatorSettings; null is a query with a name given twice (E21.1).
 * @throws EngineRefusedError 19, with the wrong field and its rule.
 */
export function readSettingsQuery(
  query: ReadonlyMap<string, string> | null,
): EngineRequests['getOperatorSettings'] {
  return orRefused(() => readSettings(query));
}

/**
 * Reads the token in the query of a browser's call: connect, reconnect, disconnect (E5).
 * @throws EngineRefusedError 19, with the wrong field and its rule.
 */
export function readTokenQuery(query: ReadonlyMap<string, string> | null): string {
  return orRefused(() => checkedQuery('token-only', query).token ?? '');
}

/** The same for whom a fault is no refusal. @throws MessageFault */
export function readSettings(
  query: ReadonlyMap<string, string> | null,
): EngineRequests['getOperatorSettings'] {
  const { game = '', operator = '', currency = '' } = checkedQuery('get-operator-settings', query);
  return { game, operator, currency };
}

function form<Request>(
  schema: EngineSchema,
  read: (fields: Fields) => Request,
  payloads: readonly string[] = [],
): Form<Request> {
  return { schema, payloads, read };
}

function tokenOnly(fields: Fields): { token: string } {
  return { token: fields.text('token') };
}

function checkedQuery(
  schema: EngineSchema,
  query: ReadonlyMap<string, string> | null,
): { readonly [name: string]: string } {
  if (query === null) throw new MessageFault('', 'has a name twice');
  const parameters = Object.fromEntries(query);
  check(schema, parameters, []);
  return parameters;
}

function check(schema: EngineSchema, value: JsonValue, payloads: readonly string[]): void {
  const fault = engineSchemas.locateFault(schema, presentIn(value, payloads));
  if (fault !== null) throw new MessageFault(fault.pointer, fault.problem);
}

/** Most bytes of a payload of player data (E20.1). */
const maxPlayerData = 65_536;

/** Most levels of it: a reply puts it three levels deep, and no message has more than 16 (E2.4). */
const maxLevels = 13;

/** getPlayerData: '' and 0 filter nothing (E20.2). */
function getPlayerData(fields: Fields): EngineRequests['getPlayerData'] {
  return { token: fields.text('token'), ...filterOf(fields) };
}

/** setPlayerData: `updated` is the service's own (E20.2). @throws MessageFault */
function setPlayerData(fields: Fields): EngineRequests['setPlayerData'] {
  const entry = fields.within('data');
  const data = entry.json('data');
  if (Buffer.byteLength(data) > maxPlayerData) throw entry.wrong('data', 'must be at most 64 KiB');
  if (levelsOf(entry.value('data')) > maxLevels) {
    throw entry.wrong('data', `must have at most ${maxLevels} levels`);
  }
  return { token: fields.text('token'), ...filterOf(entry), data, expires: expiresOf(entry) };
}

function filterOf(fields: Fields): { currency: string; stake: bigint } {
  return { currency: fields.text('currency'), stake: fields.units('stake') };
}

function expiresOf(fields: Fields): number | null {
  const text = fields.optionalText('expires');
  const expires = text === null ? null : parseTimestamp(text);
  if (text === null || expires !== null) return expires;
  throw fields.wrong('expires', 'must be a strict ISO 8601 date-time, real in the calendar');
}

/** getLastGameRounds (E14.4). */
function getLastGameRounds(fields: Fields): EngineRequests['getLastGameRounds'] {
  return { token: fields.text('token'), count: fields.whole('count') };
}

/** getRandomResult: one number unless set, from 0 unless set (E22.1). @throws MessageFault */
function getRandomResult(fields: Fields): EngineRequests['getRandomResult'] {
  const payload = fields.within('rngPayload');
  const rngEndPoint = fields.text('rngEndPoint') as 'getDoubles' | 'getIntegers';
  const count = payload.whole('count') ?? 1;
  const min = payload.number('min') ?? 0;
  const max = payload.number('max') ?? 0;
  if (min > max) throw payload.wrong('min', 'must not be above max');
  if (rngEndPoint === 'getIntegers') {
    for (const [name, limit] of Object.entries({ min, max })) {
      if (!Number.isSafeInteger(limit)) throw payload.wrong(name, 'must be a whole number');
    }
  }
  return { token: fields.text('token'), rngEndPoint, count, min, max };
}

const amount = 'E4.1';
const identifier = 'E4.2';
const flag = 'E4.3';

/** The rule that a member's value is held to; C1 for all others, and for one that is missing. */
const rules = new Map([
  ['debitAmount', amount],
  ['creditAmount', amount],
  ['winAmount', amount],
  ['wagerAmount', amount],
  ['amount', amount],
  ['stake', amount],
  ['gameRound', identifier],
  ['externalGameProviderRoundId', identifier],
  ['externalGameProviderTransactionId', identifier],
  ['rngCallId', identifier],
  ['jackpotId', identifier],
  ['endGame', flag],
  ['collect', flag],
  ['closeOpenGame', flag],
  ['useJackpot', flag],
  ['useTicket', flag],
  ['currency', 'E4.4'],
  ['counterType', 'E11.1'],
  ['awarded', 'E11.1'],
  ['used', 'E11.1'],
  ['gameStateResult', 'E11.3'],
  ['data', 'E20.2'],
  ['expires', 'E20.3'],
  ['rngEndPoint', 'E22.1'],
  ['rngPayload', 'E22.1'],
  ['count', 'E22.1'],
  ['min', 'E22.1'],
  ['max', 'E22.1'],
]);

/**
 * Reads a request; one with a wrong field is refused by 19, which names the field and its rule, never its
 * value.
 * @param rule Of every field; that of each unless given.
 * @throws EngineRefusedError
 */
export function orRefused<Request>(read: () => Request, rule: string | null = null): Request {
  try {
    return read();
  } catch (error) {
    throw error instanceof MessageFault ? refusalOf(error, rule) : error;
  }
}

function refusalOf(
  { pointer, problem }: MessageFault,
  ruleOfAll: string | null,
): EngineRefusedError {
  const field = namesOf(pointer);
  const own = rules.get(field.at(-1) ?? '');
  const ruleOfField = problem === 'is missing' && own !== 'E20.2' ? 'C1' : (own ?? 'C1');
  const where = field.length === 0 ? 'the request' : field.join('/');
  return new EngineRefusedError(
    'INVALIDPARAMETER',
    ruleOfAll ?? ruleOfField,
    undefined,
    `${where} ${problem}`,
  );
}

/** The steps of a pointer that are names of fields: those below betData are the sender's own. */
function namesOf(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1);
  const end = steps.indexOf('betData');
  return end < 0 ? steps : steps.slice(0, end + 1);
}
