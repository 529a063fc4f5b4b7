import { type Fields, levelsOf } from '../../json';
import { parseTimestamp } from '../../signature';
import type { EngineRequests } from '../messages';

/** Most bytes of a payload of player data (E20.1). */
const maxPlayerData = 65_536;

/** Most levels of it: a reply puts it three levels deep, and no message has more than 16 (E2.4). */
const maxLevels = 13;

/** getPlayerData: '' and 0 filter nothing (E20.2). */
export function getPlayerData(fields: Fields): EngineRequests['getPlayerData'] {
  return { token: fields.text('token'), ...filterOf(fields) };
}

/** setPlayerData: `updated` is the service's own (E20.2). @throws MessageFault */
export function setPlayerData(fields: Fields): EngineRequests['setPlayerData'] {
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
export function getLastGameRounds(fields: Fields): EngineRequests['getLastGameRounds'] {
  return { token: fields.text('token'), count: fields.whole('count') };
}

/** getRandomResult: one number unless set, from 0 unless set (E22.1). @throws MessageFault */
export function getRandomResult(fields: Fields): EngineRequests['getRandomResult'] {
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
