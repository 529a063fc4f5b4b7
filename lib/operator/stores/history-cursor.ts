import { createHash } from 'node:crypto';
import type { PlayerKey } from '../wallet';

/** Whose list a cursor belongs to. */
export interface CursorScope extends PlayerKey {
  /** Names the store, and no other. */
  readonly store: string;
}

/** A cursor of a player's rounds: it is valid for this player of this store alone. */
export function writeRoundsCursor(scope: CursorScope, position: string): string {
  return `${scopeDigest(scope)}.${position}`;
}

/** A cursor as it was given, before anybody knows whose it is. */
export interface GivenCursor {
  readonly digest: string;
  readonly position: string;
}

/** Reads a cursor; null if there is none. @throws TypeError for any other text. */
export function parseRoundsCursor(cursor: string | null): GivenCursor | null {
  if (cursor === null) return null;
  if (typeof cursor !== 'string') throw wrongRoundsCursor();
  const [, digest, position] = /^([\w-]{12})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (digest === undefined || position === undefined) throw wrongRoundsCursor();
  return { digest, position };
}

/** @throws TypeError for a cursor of another list. */
export function checkRoundsCursor(scope: CursorScope, cursor: GivenCursor | null): void {
  if (cursor !== null && cursor.digest !== scopeDigest(scope)) throw wrongRoundsCursor();
}

/** The position of a cursor; null if there is none. @throws TypeError for a cursor of another list. */
export function readRoundsCursor(scope: CursorScope, text: string | null): string | null {
  const cursor = parseRoundsCursor(text);
  checkRoundsCursor(scope, cursor);
  return cursor?.position ?? null;
}

function wrongRoundsCursor(): TypeError {
  return new TypeError('cursor must be the `next` that this store gave for this player');
}

/** Not a secret: it only tells one list from another. */
function scopeDigest({ store, operatorId, playerId }: CursorScope): string {
  const names = JSON.stringify(['rounds', store, operatorId, playerId]);
  return createHash('sha256').update(names).digest('base64url').slice(0, 12);
}
