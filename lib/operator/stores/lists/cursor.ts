import { createHash } from 'node:crypto';
import type { PlayerKey } from '../../wallet';

/** A cursor as it was given, before anybody knows of which list it is. */
export interface GivenCursor<Place> {
  readonly digest: string;
  readonly place: Place;
}

/** How the cursors of a kind of list are written. */
interface CursorForm<Scope, Place> {
  /** What tells one list from any other, the kind of list and the store among it. */
  readonly nameOf: (scope: Scope) => readonly string[];
  readonly write: (place: Place) => string;
  /** Null for any text that `write` does not give. */
  readonly read: (text: string) => Place | null;
  /** Whose list it is, for an error. */
  readonly owner: string;
}

/** The cursors of a kind of list: each is valid for one list of one store alone. */
export class ListCursors<Scope, Place> {
  constructor(private readonly form: CursorForm<Scope, Place>) {}

  write(scope: Scope, place: Place): string {
    return `${this.digestOf(scope)}.${this.form.write(place)}`;
  }

  /** Reads a cursor; null if there is none. @throws TypeError for any other text. */
  parse(cursor: string | null): GivenCursor<Place> | null {
    if (cursor === null) return null;
    const [, digest = '', text = ''] =
      typeof cursor === 'string' ? (/^([\w-]{12})\.([\w-]+)$/.exec(cursor) ?? []) : [];
    const place = this.form.read(text);
    if (place === null) throw this.wrong();
    return { digest, place };
  }

  /** The place of a cursor; null if there is none. @throws TypeError for a cursor of another list. */
  placeIn(scope: Scope, cursor: GivenCursor<Place> | null): Place | null {
    if (cursor === null) return null;
    if (cursor.digest !== this.digestOf(scope)) throw this.wrong();
    return cursor.place;
  }

  private wrong(): TypeError {
    const { owner } = this.form;
    return new TypeError(`cursor must be the \`next\` that this store gave for this ${owner}`);
  }

  /** Not a secret: it only tells one list from another. */
  private digestOf(scope: Scope): string {
    const name = JSON.stringify(this.form.nameOf(scope));
    return createHash('sha256').update(name).digest('base64url').slice(0, 12);
  }
}

/** A player's rounds in a store. */
export interface RoundsScope extends PlayerKey {
  /** Names the store, and no other. */
  readonly store: string;
  /** Which of the player's rounds; null or absent for all. */
  readonly filter?: string | null;
}

/** Cursors of a player's rounds: the number of the last one. */
export const roundsCursors = new ListCursors<RoundsScope, string>({
  nameOf: ({ store, operatorId, playerId, filter = null }) => {
    const all = ['rounds', store, operatorId, playerId];
    return filter === null ? all : [...all, filter];
  },
  write: (number) => number,
  read: (text) => (/^\d{1,16}$/.test(text) ? text : null),
  owner: 'player and the same filters',
});
