import type { FindKeys } from './find-filter';

/** What an event is found by. The id of a round's event says it, so that the line need not be parsed. @throws Error if it is no event. */
export function findKeysOf(line: Buffer): FindKeys {
  const [, playerId, gameRound] =
    roundStart.exec(line.toString('latin1', 0, usualStart)) ??
    roundStart.exec(line.toString('latin1', 0, longestStart)) ??
    [];
  if (playerId !== undefined && gameRound !== undefined) {
    return { playerId: decodeURIComponent(playerId), gameRound: decodeURIComponent(gameRound) };
  }
  const event = JSON.parse(line.toString()) as Partial<Record<keyof FindKeys, unknown>>;
  return {
    playerId: textOf(event.playerId),
    gameRound: textOf(event.gameRound),
    reference: textOf(event.reference),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const roundStart =
  /^\{"type":"round","id":"[^"/\\]{1,800}\/([^"/\\]{1,800})\/([^"/\\]{1,800})\/\d{1,16}",/;
const [usualStart, longestStart] = [300, 2_500];
