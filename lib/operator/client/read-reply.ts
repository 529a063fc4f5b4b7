import { type DecimalText, type ExactJsonObject, exactRest } from '../../protocol/json/exact';
import type { JsonDocument, JsonObject, JsonValue } from '../../protocol/json/parse';
import { MessageFault } from '../../protocol/json/documents';
import { shortestForm } from '../../protocol/money/amount';
import { type MessageName, messageSchemas } from '../../protocol/operator-api/schemas';

/** @throws MessageFault */
export function readPackage(document: JsonDocument, serial: string): FreePlayPackage {
  const reply = checked('free-play-package', document.value);
  if (reply.serial !== serial) throw new MessageFault('/serial', 'differs from the request');
  const known = ['serial', 'internalid', 'count', 'used', 'expires', 'errorCode'];
  return Object.freeze({
    serial,
    internalid: textOf(reply.internalid),
    count: wholeOf(document, reply, 'count', '') ?? 0,
    used: wholeOf(document, reply, 'used', '') ?? 0,
    expires: textOf(reply.expires),
    further: exactRest(document, reply, known),
  });
}

/** @throws MessageFault */
export function readStatistics(document: JsonDocument): Statistics {
  const reply = checked('statistics', document.value);
  const records = (reply.records as JsonObject[]).map((record, index) =>
    readRecord(document, record, `/records/${index}`),
  );
  const further = exactRest(document, reply, ['records', 'errorCode']);
  return Object.freeze({ records: Object.freeze(records), further });
}

const recordAmounts = ['bet', 'win', 'betInEuro', 'winInEuro'] as const;
const recordKeys = ['DAY', 'currency', 'games', 'player', 'RTP', ...recordAmounts];

function readRecord(document: JsonDocument, record: JsonObject, at: string): StatisticsRecord {
  return Object.freeze({
    DAY: textOf(record.DAY),
    currency: textOf(record.currency),
    games: wholeOf(document, record, 'games', at),
    player: wholeOf(document, record, 'player', at),
    ...membersOf(recordAmounts, (name) => textOf(record[name])),
    RTP: document.lexeme(record, 'RTP') ?? null,
    further: exactRest(document, record, recordKeys),
  });
}

const configurationNumbers = [
  'currencyMultiplier',
  'expectedRtp',
  'oneHundredXOdds',
  'maxWinOdds',
  'maxPayout',
  'maxPayoutOdds',
  'maxExposure',
  'calculatedMaxExposure',
  'winlineCount',
] as const satisfies readonly ConfigurationNumber[];
const configurationKeys = ['stakes', 'currency', 'operator', ...configurationNumbers];

/**
 * Reads the configuration from the reply's `config`, or from the reply itself if the service puts the
 * fields there: the specification allows both readings.
 * @throws MessageFault
 */
export function readConfiguration(document: JsonDocument, currency: string): GameConfiguration {
  const reply = recordOf(document.value);
  const inner = reply.config;
  const isNested = inner !== undefined && inner !== null;
  const config = isNested ? recordOf(inner, '/config') : reply;
  const at = isNested ? '/config' : '';
  const fault = messageSchemas.locateFault('game-configuration', {
    ...config,
    gameCode: reply.gameCode,
  });
  if (fault !== null) {
    const pointer = fault.pointer.startsWith('/gameCode') ? fault.pointer : at + fault.pointer;
    throw new MessageFault(pointer, fault.problem);
  }
  if (config.currency !== currency) {
    throw new MessageFault(`${at}/currency`, 'differs from the request');
  }
  const outer = ['config', 'gameCode', 'errorCode'];
  const rest = isNested ? exactRest(document, reply, outer) : {};
  const known = isNested ? configurationKeys : [...configurationKeys, ...outer];
  const stakes = config.stakes as number[];
  return Object.freeze({
    gameCode: reply.gameCode as string,
    stakes: Object.freeze(stakes.map((_, index) => document.lexeme(stakes, index) ?? '')),
    currency,
    ...membersOf(configurationNumbers, (name) => document.lexeme(config, name) ?? null),
    operator: textOf(config.operator),
    further: Object.freeze(
      Object.assign(Object.create(null), rest, exactRest(document, config, known)),
    ),
  });
}

/** @throws MessageFault */
export function readGameList(document: JsonDocument): GameList {
  const reply = checked('game-list', document.value);
  const games: Record<string, ListedGame> = Object.create(null);
  for (const [gameCode, game] of Object.entries((reply.extendedGameList ?? {}) as JsonObject)) {
    const { name, studio } = game as JsonObject;
    const further = exactRest(document, game as JsonObject, ['name', 'studio']);
    games[gameCode] = Object.freeze({ name: name as string, studio: textOf(studio), further });
  }
  const names = (reply.gameList ?? {}) as Record<string, string>;
  return Object.freeze({
    gameList: Object.freeze(Object.assign(Object.create(null), names)),
    extendedGameList: Object.freeze(games),
    further: exactRest(document, reply, ['gameList', 'extendedGameList', 'errorCode']),
  });
}

function checked(schema: MessageName, value: JsonValue): JsonObject {
  const reply = recordOf(value);
  const fault = messageSchemas.locateFault(schema, reply);
  if (fault !== null) throw new MessageFault(fault.pointer, fault.problem);
  return reply;
}

function recordOf(value: JsonValue, pointer = ''): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new MessageFault(pointer, 'must be object');
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** A count. The schema has checked the float, which may come from a number that is not whole. */
function wholeOf(
  document: JsonDocument,
  record: JsonObject,
  name: string,
  at: string,
): number | null {
  const value = record[name];
  if (typeof value !== 'number') return null;
  const lexeme = document.lexeme(record, name) ?? '';
  if (shortestForm(lexeme) === String(value)) return value;
  throw new MessageFault(`${at}/${name}`, 'must be a whole number up to 2^53-1');
}

function membersOf<Name extends string, T>(
  names: readonly Name[],
  read: (name: Name) => T,
): { readonly [name in Name]: T } {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as { [name in Name]: T };
}

/** A package of free plays as stored by the service (operator-api 2.5). */
export interface FreePlayPackage {
  /** The serial of the request. */
  readonly serial: string;
  /** The service's own id of the package; null if there is none. */
  readonly internalid: string | null;
  /** Plays granted by the first request of this serial. */
  readonly count: number;
  readonly used: number;
  /** As received, ISO 8601; null if there is none. */
  readonly expires: string | null;
  readonly further: ExactJsonObject;
}

/** One record of the statistics (operator-api 2.4); a missing value is null. */
export type StatisticsRecord = {
  /** The day, if records are grouped by it. */
  readonly DAY: string | null;
  readonly currency: string | null;
  readonly games: number | null;
  readonly player: number | null;
  /** Return to player, in percent. */
  readonly RTP: DecimalText | null;
  readonly further: ExactJsonObject;
} & {
  /** The text as received, in the local currency and in euro of that day; see `readExactAmount`. */
  readonly [amount in 'bet' | 'win' | 'betInEuro' | 'winInEuro']: string | null;
};

/** The reply of getStats. */
export interface Statistics {
  readonly records: readonly StatisticsRecord[];
  readonly further: ExactJsonObject;
}

/** Optional numbers of a configuration. */
export type ConfigurationNumber =
  | 'currencyMultiplier'
  | 'expectedRtp'
  | 'oneHundredXOdds'
  | 'maxWinOdds'
  | 'maxPayout'
  | 'maxPayoutOdds'
  | 'maxExposure'
  | 'calculatedMaxExposure'
  | 'winlineCount';

/** The configuration of a game for a currency (operator-api 2.6). */
export type GameConfiguration = {
  readonly gameCode: string;
  /** In the unit of the protocol's amounts. */
  readonly stakes: readonly DecimalText[];
  readonly currency: string;
  readonly operator: string | null;
  readonly further: ExactJsonObject;
} & { readonly [name in ConfigurationNumber]: DecimalText | null };

/** A game of the list. */
export interface ListedGame {
  readonly name: string;
  readonly studio: string | null;
  readonly further: ExactJsonObject;
}

/**
 * The reply of getGameList, by gameCode. The reply may have one of the two lists only; the other is then
 * empty.
 */
export interface GameList {
  /** Names only; deprecated by the service. */
  readonly gameList: Readonly<Record<string, string>>;
  readonly extendedGameList: Readonly<Record<string, ListedGame>>;
  readonly further: ExactJsonObject;
}
