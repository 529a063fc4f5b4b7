import type { CallOptions } from '../../protocol/client/run-call';
import { ServiceError } from '../../protocol/client/errors';
import { engineErrors } from '../../protocol/engine-api/errors';
import type { RoundReply } from '../../protocol/engine-api/replies';
import { isId } from '../recovery/inquiry';
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
async function findRound(
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
function roundFrom(parts: RoundParts, found: RoundReply): GameRound {
  return playedRound(parts, found, numbersAfter(found));
}

/** 14 and 15: the RGS knows no such round, or its first bet was never taken. */
function isNeverTaken(error: unknown): boolean {
  return error instanceof ServiceError && neverTakenIds.some((id) => id === error.id);
}

/**
 * Plays what is left of an abandoned round. Return `'void'` for a round that your own book holds as not taken:
 * then it is voided, and not ended.
 */
export type FinishRound = (round: GameRound) => unknown;

/** Options of `closeAbandoned`. */
export interface CloseOptions extends CallOptions {
  /** The player's token, if you kept it. Another one, which revokes it, is fetched only if it is over. */
  readonly token?: string;
}

const sessionInvalid = engineErrors.SESSIONINVALID.id;
const notActive = engineErrors.GAMEROUNDNOTACTIVE.id;

/**
 * Closes an abandoned round, for doAutoClose (E16, E23.4): fetches a token, which revokes all others of the
 * player and game, asks the RGS for the round, lets `finish` play what is left, and ends it. Idempotent: a
 * round that is over already is left as it is.
 * @returns The round's last state; null for a round that is over and cannot be read, or was never taken.
 * @throws GameEngineError or GameRoundError; the RGS asks again in an hour.
 */
export async function closeAbandoned(
  parts: RoundParts,
  gameRound: string,
  finish: FinishRound = () => {},
  { token, ...options }: CloseOptions = {},
): Promise<RoundReply | null> {
  const found = await findOpen(parts, gameRound, token, options);
  if (found === null || found.gameRoundInfo.status !== 'open') return found;
  const round = roundFrom(parts, found);
  const isNotTaken = parts.notTaken.has(gameRound) || (await finish(round)) === 'void';
  if (round.state.gameRoundInfo.status !== 'open') return round.state;
  try {
    return await (isNotTaken ? round.void({}, options) : round.end(options));
  } catch (error) {
    if (isOver(error)) return round.state;
    throw error;
  }
}

/** The round with the player's token, else with a new one; null if it is over, or was never taken. */
async function findOpen(
  parts: RoundParts,
  gameRound: string,
  token: string | undefined,
  options: CallOptions,
): Promise<RoundReply | null> {
  // A late request for a token revokes the one that came before it: it is fetched twice at most.
  for (let given = token, fetched = 0; ; given = undefined) {
    try {
      if (given === undefined) fetched++;
      const current = given ?? (await fetchToken(parts, gameRound, options));
      return await findRound(parts, current, gameRound, options);
    } catch (error) {
      if (isOver(error)) return null;
      if (fetched === 2 || !isId(error, sessionInvalid)) throw error;
    }
  }
}

async function fetchToken(
  { call, notTaken }: RoundParts,
  gameRound: string,
  options: CallOptions,
): Promise<string> {
  try {
    const { tokenData } = await call('getTokenForGameRound', { gameRound }, options);
    return tokenData.currentToken;
  } catch (error) {
    if (isNeverTaken(error)) notTaken.add(gameRound);
    throw error;
  }
}

/** 13: the round is over. 14 and 15: it was never taken. */
function isOver(error: unknown): boolean {
  return isId(error, notActive) || isNeverTaken(error);
}
