import type { RoundChange } from '../../gameround';
import type { RoundKey } from '../../wallet';
import { ListCursors } from './cursor';

/** Where a repair is in the list of its operator's repairs. It never moves. */
export interface RepairPlace {
  /** When it was proposed, in milliseconds since 1970. */
  readonly at: number;
  readonly playerId: string;
  readonly gameRound: string;
  readonly id: string;
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
  const [, at, player, round, id] = /^(\d{16})\/([^/]+)\/([^/]+)\/([\w-]{1,64})$/.exec(text) ?? [];
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

/** Cursors of an operator's repairs: the place of the last one. */
export const repairsCursors = new ListCursors<
  { readonly store: string; readonly operatorId: string },
  RepairPlace
>({
  nameOf: ({ store, operatorId }) => ['repairs', store, operatorId],
  write: (place) => Buffer.from(writePlace(place)).toString('base64url'),
  read: (text) => {
    const bytes = Buffer.from(text, 'base64url');
    return bytes.toString('base64url') === text ? readPlace(bytes.toString()) : null;
  },
  owner: 'operator',
});
