import { createHash } from 'node:crypto';
import type { RoundChange } from '../gameround';
import type { RoundKey } from '../wallet';

/** Where a repair is in the list of its operator's repairs. It never moves. */
export interface RepairPlace {
  /** When it was proposed, in milliseconds since 1970. */
  readonly at: number;
  readonly playerId: string;
  readonly gameRound: string;
  readonly id: string;
}

/** Whose list a cursor belongs to. */
export interface RepairsScope {
  /** Names the store, and no other. */
  readonly store: string;
  readonly operatorId: string;
}

/** A cursor as it was given, before anybody knows whose it is. */
export interface GivenRepairsCursor {
  readonly digest: string;
  readonly place: RepairPlace;
}

/** Digits of a time: texts of places are in the order of their times. */
const timeDigits = 16;

/** A place as text without spaces. The later one is the greater text. */
export function writePlace({ at, playerId, gameRound, id }: RepairPlace): string {
  const time = String(at).padStart(timeDigits, '0');
  return [time, encodeURIComponent(playerId), encodeURIComponent(gameRound), id].join('/');
}

/** The place of a text of {@link writePlace}; null for any other text. */
export function readPlace(text: string): RepairPlace | null {
  const [, at, player, round, id] =
    /^(\d{16})\/([^/]{1,1200})\/([^/]{1,1200})\/([\w-]{1,64})$/.exec(text) ?? [];
  if (player === undefined || round === undefined || id === undefined) return null;
  try {
    const [playerId, gameRound] = [decodeURIComponent(player), decodeURIComponent(round)];
    const place = { at: Number(at), playerId, gameRound, id };
    return writePlace(place) === text ? place : null;
  } catch {
    return null;
  }
}

/** The places of a round's repairs that a change may have added: all of them, if it changes any. */
export function placesOf(
  { playerId, gameRound }: RoundKey,
  { before, after }: Pick<RoundChange, 'before' | 'after'>,
): readonly RepairPlace[] {
  if (after.repairs === undefined || after.repairs === before.repairs) return [];
  return after.repairs.list.map(({ id, proposedAt: at }) => ({ at, playerId, gameRound, id }));
}

/** A cursor of an operator's repairs: it is valid for this operator of this store alone. */
export function writeRepairsCursor(scope: RepairsScope, place: RepairPlace): string {
  return `${digestOf(scope)}.${Buffer.from(writePlace(place)).toString('base64url')}`;
}

/** Reads a cursor; null if there is none. @throws TypeError for any other text. */
export function parseRepairsCursor(cursor: string | null): GivenRepairsCursor | null {
  if (cursor === null) return null;
  if (typeof cursor !== 'string') throw wrongRepairsCursor();
  const [, digest = '', encoded = ''] = /^([\w-]{12})\.([\w-]{1,4000})$/.exec(cursor) ?? [];
  const bytes = Buffer.from(encoded, 'base64url');
  const place = readPlace(bytes.toString());
  if (place === null || bytes.toString('base64url') !== encoded) throw wrongRepairsCursor();
  return { digest, place };
}

/** The place of a cursor; null if there is none. @throws TypeError for a cursor of another list. */
export function checkRepairsCursor(
  scope: RepairsScope,
  cursor: GivenRepairsCursor | null,
): RepairPlace | null {
  if (cursor === null) return null;
  if (cursor.digest !== digestOf(scope)) throw wrongRepairsCursor();
  return cursor.place;
}

function wrongRepairsCursor(): TypeError {
  return new TypeError('cursor must be the `next` that this store gave for this operator');
}

/** Not a secret: it only tells one list from another. */
function digestOf({ store, operatorId }: RepairsScope): string {
  const names = JSON.stringify(['repairs', store, operatorId]);
  return createHash('sha256').update(names).digest('base64url').slice(0, 12);
}
