import type { PlayerKey, RoundKey } from '../../../wallet';
import { unreadable } from '../../codec/record';
import { unpackHash } from './hash-fields';

/** A round in its player's history. */
export interface HistoryEntry {
  /** As stored. */
  readonly text: string;
  /** Its number, which rises from round to round. */
  readonly number: string;
  readonly round: RoundKey;
}

/** An entry of the history of a player: its number, and the round's name as packHash has it. */
export function readEntry({ operatorId, playerId }: PlayerKey, text: string): HistoryEntry {
  const [, number, name] = /^(\d+)(\D.*)$/s.exec(text) ?? [];
  if (number === undefined || name === undefined) throw unreadable('round of a history', text);
  return { text, number, round: { operatorId, playerId, gameRound: unpackHash(name) } };
}
