import type { RoundQuery } from '../../protocol/engine-api';
import { type Context, isNeverTaken, ownRound } from './context';
import { type Answered, refuse, type Refused } from './decision';
import type { Round } from './round';

/**
 * The answer to a query of a round (E14). Another player's round looks unknown: to getGameRoundInfo like one that
 * never started (E3); an id so answered to a player is spent for that player (E14.1).
 */
export function decideQuery(
  { session }: Pick<Context, 'session'>,
  found: Round | null,
  { call }: RoundQuery,
): Answered | Refused {
  const round = ownRound(found, session);
  if (round === null) {
    if (call !== 'getGameRoundInfo')
      return refuse('GAMEROUNDNOTFOUND', call === 'getGameRoundHistoryInfo' ? 'E14.2' : 'E5.8');
    return { ...refuse('GAMEROUNDNOTSTARTED', 'E14.1'), spendsId: session.kind === 'player' };
  }
  if (isNeverTaken(round)) return refuse('GAMEROUNDNOTSTARTED', 'E14.1');
  if (call === 'getGameRoundHistoryInfo' && round.state === 'open') {
    return refuse('GAMEROUNDSTILLOPEN', 'E14.2');
  }
  return { kind: 'answered', round };
}

/**
 * getTokenForGameRound: the round whose player, operator and game a janitor's token is for. It has to
 * be of this provider and open (E5.6).
 */
export function decideToken(gameProviderId: string, found: Round | null): Answered | Refused {
  if (found?.owner.gameProviderId !== gameProviderId) return refuse('GAMEROUNDNOTFOUND', 'E5.6');
  if (found.state !== 'open') return refuse('GAMEROUNDNOTACTIVE', 'E5.6');
  return { kind: 'answered', round: found };
}
