import { ownText } from '../../platform/own-text';
import { schemasOf } from '../../platform/validation';
import { orRefused } from '../engine-api/read-request';
import { Fields } from '../json/fields';
import { isJsonObject, type JsonDocument, type JsonValue } from '../json/parse';
import { MessageFault, presentIn } from '../json/documents';
import { parseTimestamp } from '../signature';
import type {
  ConfigurationQuery,
  FreePlayRequest,
  LaunchRequest,
  OperatorNotice,
  StatisticsGroup,
  StatisticsQuery,
} from './served-messages';

const schemas = schemasOf('operator-api', [
  'served-launch',
  'served-free-plays',
  'served-statistics',
  'served-configuration',
  'served-notice',
]);

/** @throws EngineRefusedError 19 */
export function readLaunch(document: JsonDocument): LaunchRequest {
  return orRefused(() => launchOf(checked('served-launch', document, ['options'])), 'E24.2');
}

/** @throws EngineRefusedError 19 */
export function readFreePlays(document: JsonDocument): FreePlayRequest {
  return orRefused(() => freePlaysOf(checked('served-free-plays', document)), 'E18.4');
}

/** @throws EngineRefusedError 19 */
export function readStatisticsQuery(document: JsonDocument): StatisticsQuery {
  return orRefused(() => statisticsOf(checked('served-statistics', document)), 'E24.3');
}

/** @throws EngineRefusedError 19 */
export function readNotice(document: JsonDocument): OperatorNotice {
  return orRefused(() => noticeOf(document), 'E24.4');
}

/**
 * Reads the query of getGameConfiguration; null is a query with a name given twice.
 * @throws EngineRefusedError 19
 */
export function readConfigurationQuery(
  query: ReadonlyMap<string, string> | null,
): ConfigurationQuery {
  return orRefused(() => {
    if (query === null) throw new MessageFault('', 'has a name twice');
    const parameters = Object.fromEntries(query);
    check('served-configuration', parameters);
    const { gameCode = '', currency = '' } = parameters;
    return { gameCode, currency };
  }, 'E21.3');
}

function launchOf(fields: Fields): LaunchRequest {
  const options = fields.value('options');
  return {
    playerId: fields.optionalText('playerId'),
    currency: fields.text('currency'),
    gameCode: fields.text('gameCode'),
    language: fields.text('language'),
    mode: fields.text('mode') as LaunchRequest['mode'],
    profile: fields.optionalText('profile'),
    options: isJsonObject(options) ? options : {},
    externalSessionId: fields.optionalText('externalSessionId'),
    device: fields.optionalText('device'),
  };
}

function freePlaysOf(fields: Fields): FreePlayRequest {
  const stake = fields.units('stake');
  if (stake === 0n) throw fields.wrong('stake', 'must be above 0');
  const text = fields.optionalText('expires');
  const expires = text === null ? null : parseTimestamp(text);
  if (text !== null && expires === null) {
    throw fields.wrong('expires', 'must be a strict ISO 8601 date-time, real in the calendar');
  }
  return {
    playerId: fields.text('playerId'),
    gameCode: fields.text('gameCode'),
    serial: fields.text('serial'),
    currency: fields.text('currency'),
    stake,
    count: fields.whole('count') ?? 0,
    expires,
  };
}

/** Most characters of a notice that are kept. */
const longestNotice = 4096;

function noticeOf(document: JsonDocument): OperatorNotice {
  const body = ownText(JSON.stringify(document.value).slice(0, longestNotice));
  return { playerId: checked('served-notice', document).text('playerId'), body };
}

const groups = new Map<string, StatisticsGroup>([
  ['day', 'DAY'],
  ['currency', 'currency'],
  ['game', 'game'],
  ['player', 'player'],
]);

function statisticsOf(fields: Fields): StatisticsQuery {
  const filter = fields.within('filterBy');
  const [dateFrom, dateToIncluding] = [day(filter, 'dateFrom'), day(filter, 'dateToIncluding')];
  if (dateFrom !== null && dateToIncluding !== null && dateFrom > dateToIncluding) {
    throw filter.wrong('dateToIncluding', 'must not be before dateFrom');
  }
  return {
    groupBy: groupsOf(fields),
    dateFrom,
    dateToIncluding,
    currency: filter.optionalText('currency'),
    gameCode: filter.optionalText('gameCode'),
    playerId: playerOf(fields, filter),
    showTotals: fields.flag('showTotals'),
  };
}

/** In any letter case (E24.3). */
function groupsOf(fields: Fields): readonly StatisticsGroup[] {
  const names = (fields.value('groupBy') ?? []) as readonly string[];
  const known = names.map((name) => groups.get(name.toLowerCase()));
  const requested = known.filter((group) => group !== undefined);
  if (requested.length === names.length) return [...new Set(requested)];
  throw fields.wrong('groupBy', `must hold ${[...groups.values()].join(', ')} alone`);
}

/** The player may be named in filterBy, or next to it (operator-api 4.4). */
function playerOf(fields: Fields, filter: Fields): string | null {
  const [own, filtered] = [fields.optionalText('playerId'), filter.optionalText('playerId')];
  if (own !== null && filtered !== null && own !== filtered) {
    throw fields.wrong('playerId', 'must not differ from that of filterBy');
  }
  return own ?? filtered;
}

function day(filter: Fields, name: string): string | null {
  const text = filter.optionalText(name);
  if (text === null || parseTimestamp(`${text}T00:00:00Z`) !== null) return text;
  throw filter.wrong(name, 'must be a real day');
}

type SchemaName = Parameters<typeof schemas.findFault>[0];

function checked(
  schema: SchemaName,
  document: JsonDocument,
  payloads: readonly string[] = [],
): Fields {
  const fields = Fields.of(document);
  check(schema, presentIn(document.value, payloads));
  return fields;
}

function check(schema: SchemaName, value: JsonValue): void {
  const fault = schemas.locateFault(schema, value);
  if (fault !== null) throw new MessageFault(fault.pointer, fault.problem);
}
