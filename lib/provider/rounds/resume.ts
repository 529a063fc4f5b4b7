import { type CallOptions, ServiceError } from '../../protocol/client';
import { engineErrors, type RoundReply } from '../../protocol/engine-api';
import { numbersAfter } from './ids';
import type { RoundParts } from './open';
import { playedRound } from './play';
import type { GameRound } from './round';

const neverTakenIds: readonly number[] = [
  engineErrors.GAMEROUNDNOTSTARTED.id,
  engineErrors.GAMEROUNDNOTFOUND.id,
];

/**
 * The round as an object again, after the process that opened it has died. A call that was on its way then has
 * its id again, so it counts once if it is made with the same content (E15.1).
 * @param token The player's token, or a newer one of this player in this game.
 * @returns null for a round that was never taken: its id is spent, play a new one.
 * @throws GameEngineError; SESSIONINVALID for a token that is over: `closeAbandoned` fetches one.
 */
export async function resumeRound(
  parts: RoundParts,
  token: string,
  gameRound: string,
  options: CallOptions = {},
): Promise<GameRound | null> {
  const found = await findRound(parts, token, gameRound, options);
  return found === null ? null : roundFrom(parts, found);
}

/** The round of a token's player; null if it was never taken (S2.2). */
export async function findRound(
  { call, notTaken }: RoundParts,
  token: string,
  gameRound: string,
  options: CallOptions,
): Promise<RoundReply | null> {
  try {
    return await call('getGameRoundInfo', { token, gameRound }, options);
  } catch (error) {
    if (!isNeverTaken(error)) throw error;
    notTaken.add(gameRound);
    return null;
  }
}

/** A round that another object, or another process, has played before. */
export function roundFrom(parts: RoundParts, found: RoundReply): GameRound {
  return playedRound(parts, found, numbersAfter(found));
}

/** 14 and 15: the RGS knows no such round, or its first bet was never taken. */
export function isNeverTaken(error: unknown): boolean {
  return error instanceof ServiceError && neverTakenIds.some((id) => id === error.id);
}
