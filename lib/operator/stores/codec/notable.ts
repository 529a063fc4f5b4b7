import { mostNotable, notableKinds, type NotablePlace, type NotableQuery } from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { unreadable } from './record';

/** A notable round in a list in the order of bytes: first its time. */
export function notableMember({ at, playerId, gameRound }: NotablePlace): string {
  return `${notableTime(at)}${JSON.stringify([playerId, gameRound])}`;
}

/** A time as members begin with it. */
export function notableTime(at: number): string {
  return String(Math.min(Math.max(at, 0), 999_999_999_999_999)).padStart(15, '0');
}

/** The round of a member. */
export function readNotable(member: string): NotablePlace {
  const at = Number(member.slice(0, 15));
  if (!Number.isSafeInteger(at)) throw unreadable('notable round', member);
  const [playerId = '', gameRound = ''] = JSON.parse(member.slice(15)) as string[];
  return { at, playerId, gameRound };
}

/** The query with its bounds; the last one is not in it. @throws TypeError, InvalidInputError */
export function checkNotable(
  operatorId: string,
  query: NotableQuery,
): Required<Pick<NotableQuery, 'kind' | 'from' | 'to' | 'limit'>> & Pick<NotableQuery, 'after'> {
  checkIdentifiers({ operatorId });
  const { kind, from = 0, to = 999_999_999_999_999, limit, after } = query;
  if (!notableKinds.includes(kind)) {
    throw new TypeError(`kind must be one of ${notableKinds.join(', ')}`);
  }
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) {
    throw new TypeError('from and to must be whole milliseconds since 1970');
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > mostNotable) {
    throw new TypeError(`limit must be a whole number from 1 to ${mostNotable}`);
  }
  if (after !== undefined) {
    const { at, playerId, gameRound } = after;
    checkIdentifiers({ playerId, gameRound });
    if (!Number.isSafeInteger(at)) throw new TypeError('after must be a place of the list');
  }
  return { kind, from, to, limit, ...(after !== undefined && { after }) };
}
