import { type CallOptions, ServiceError } from '../../protocol/client';
import { engineErrors, type RoundReply } from '../../protocol/engine-api';
import type { RoundParts } from './open';
import { playedRound } from './play';
import type { GameRound } from './round';

/**
 * Plays what is left of an abandoned round. Return `'void'` for a round that your own book holds as not taken:
 * then it is voided, and not ended.
 */
export type FinishRound = (round: GameRound) => unknown;

const sessionInvalid = engineErrors.SESSIONINVALID.id;
const endedIds: readonly number[] = [
  engineErrors.GAMEROUNDNOTACTIVE.id,
  engineErrors.GAMEROUNDNOTSTARTED.id,
];

/**
 * Closes an abandoned round, for doAutoClose (E16, E23.4): fetches a token, which revokes all others of the
 * player and game, asks the RGS for the round, lets `finish` play what is left, and ends it. Idempotent: a
 * round that is over already is left as it is.
 * @returns The round's last state; null for a round that is over and cannot be read.
 * @throws GameEngineError or GameRoundError; the RGS asks again in an hour.
 */
export async function closeAbandoned(
  parts: RoundParts,
  gameRound: string,
  finish: FinishRound = () => {},
  options: CallOptions = {},
): Promise<RoundReply | null> {
  const found = await findOpen(parts, gameRound, options);
  if (found === null || found.gameRoundInfo.status !== 'open') return found;
  // Each call that succeeded left an entry, so no number of an earlier id comes again.
  const round = playedRound(parts, found, found.gameState.length + 1);
  const isNotTaken = parts.notTaken.has(gameRound) || (await finish(round)) === 'void';
  if (round.state.gameRoundInfo.status !== 'open') return round.state;
  try {
    return await (isNotTaken ? round.void({}, options) : round.end(options));
  } catch (error) {
    if (isOver(error)) return round.state;
    throw error;
  }
}

/** The round with a new token; null if it is over. */
async function findOpen(
  parts: RoundParts,
  gameRound: string,
  options: CallOptions,
  isLast = false,
): Promise<RoundReply | null> {
  const { call } = parts;
  try {
    const { tokenData } = await call('getTokenForGameRound', { gameRound }, options);
    return await call('getGameRoundInfo', { token: tokenData.currentToken, gameRound }, options);
  } catch (error) {
    if (isOver(error)) return null;
    // A late request for a token revokes the one that came before it.
    if (!isLast && isId(error, sessionInvalid)) return findOpen(parts, gameRound, options, true);
    throw error;
  }
}

/** 13 and 15: the round is over, or was never taken. */
function isOver(error: unknown): boolean {
  return endedIds.some((id) => isId(error, id));
}

function isId(error: unknown, id: number): boolean {
  return error instanceof ServiceError && error.id === id;
}
