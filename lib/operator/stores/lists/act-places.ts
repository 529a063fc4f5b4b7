import { type ActKind, actKindOf, actKinds, type ActsQuery, type PersonAct } from '../../wallet';
import { checkIdentifiers, checkRoundsQuery, isPlainText, wrongForm } from '../check-input';
import { ListCursors } from './cursor';
import { checkPeriod } from './rounds-query';

/** A query of acts, complete: null for a filter that is not set. */
export interface CheckedActsQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly person: string | null;
  readonly playerId: string | null;
  readonly kind: ActKind | null;
  readonly from: number | null;
  readonly to: number | null;
}

/** @throws InvalidInputError or TypeError that names what is wrong in the query. */
export function checkActsQuery(operatorId: string, query?: ActsQuery): CheckedActsQuery {
  checkIdentifiers({ operatorId });
  const page = checkRoundsQuery(query);
  const { person = null, playerId = null, kind = null, from = null, to = null } = query ?? {};
  if (person !== null && !isPlainText(person, 1, 128)) {
    throw wrongForm('person', person, 'person must be the id of a person, 1 to 128 characters');
  }
  if (playerId !== null) checkIdentifiers({ playerId });
  if (kind !== null && !actKinds.includes(kind)) {
    throw new TypeError(`kind must be one of ${actKinds.join(', ')}`);
  }
  checkPeriod(from, to);
  return { ...page, person, playerId, kind, from, to };
}

/** Whether an act is one that is asked for. */
export function fitsQuery(act: PersonAct, query: CheckedActsQuery): boolean {
  const { person, playerId, kind, from, to } = query;
  if (person !== null && act.by.id !== person) return false;
  if (playerId !== null && act.playerId !== playerId) return false;
  if (kind !== null && actKindOf(act) !== kind) return false;
  return (from === null || act.at >= from) && (to === null || act.at < to);
}

/** Where an act is in the list of its operator's acts. It never moves. */
export interface ActPlace {
  /** When it was done, in the unit of the store. */
  readonly at: number;
  /** Empty for what was not done about one player. */
  readonly playerId: string;
  /** Tells it from other acts of the player at that time. */
  readonly key: string;
}

/** Digits of a time: texts of places are in the order of their times. */
const timeDigits = 16;

/** A time as a place begins. */
export function writePlaceTime(at: number): string {
  return String(at).padStart(timeDigits, '0');
}

/** A place as text without spaces. The later one is the greater text. */
export function writeActPlace({ at, playerId, key }: ActPlace): string {
  return [writePlaceTime(at), encodeURIComponent(playerId), encodeURIComponent(key)].join('/');
}

/** The place of a text of {@link writeActPlace}; null for any other text. */
export function readActPlace(text: string): ActPlace | null {
  const [, at, player, named] = /^(\d{16})\/([^/ ]*)\/([^/ ]+)$/.exec(text) ?? [];
  if (player === undefined || named === undefined) return null;
  try {
    const place = {
      at: Number(at),
      playerId: decodeURIComponent(player),
      key: decodeURIComponent(named),
    };
    return writeActPlace(place) === text ? place : null;
  } catch {
    return null;
  }
}

/** Keys of acts, but those of repairs. */
export function keyOfNumber(type: 'block' | 'limit', number: number): string {
  return `${prefixes[type]}${String(number).padStart(timeDigits, '0')}`;
}

/** How the key of an act begins. */
export const prefixes = {
  cash: 'c',
  block: 'b',
  limit: 'l',
  repair: 'r',
  export: 'x',
  rights: 'g',
} as const;

/** The key of a proposal or a decision of a repair. No id has a `#`. */
export function keyOfRepair(gameRound: string, repair: string, step: string): string {
  return [`${prefixes.repair}${gameRound}`, repair, step].join('#');
}

/** Whose acts, and which. */
interface ActsScope {
  readonly store: string;
  readonly operatorId: string;
  readonly query: CheckedActsQuery;
}

/** Cursors of an operator's acts: the place of the last one. */
export const actsCursors = new ListCursors<ActsScope, ActPlace>({
  nameOf: ({ store, operatorId, query: { person, playerId, kind, from, to } }) => [
    'acts',
    store,
    operatorId,
    JSON.stringify([person, playerId, kind, from, to]),
  ],
  write: (place) => Buffer.from(writeActPlace(place)).toString('base64url'),
  read: (text) => {
    const bytes = Buffer.from(text, 'base64url');
    return bytes.toString('base64url') === text ? readActPlace(bytes.toString()) : null;
  },
  owner: 'operator and the same filters',
});
