import type { RoundQuery, Texts } from '../../protocol/engine-api/calls';
import { amountCredited, amountToCollect, baseStake, creditPending, stakeOf } from './amounts';
import { type Context, isNeverTaken, ownRound } from './context';
import { type Answered, refuse, type Refused } from './decision';
import type { Entry, Owner, Round, RoundState } from './round';

/** The part of a reply about a round (game-engine-api 2.6 to 2.8), in exact terms. */
export interface RoundReply {
  readonly owner: Owner;
  readonly gameRound: string;
  /** The only two that the wire knows (E6). */
  readonly status: 'open' | 'closed';
  /** The state by its real name, for passThroughData (E6). */
  readonly outcome: RoundState;
  readonly stake: bigint;
  /** A decimal text; null if it is not exact. */
  readonly baseStake: string | null;
  readonly amountToCollect: bigint;
  readonly amountCredited: bigint;
  readonly creditPending: bigint;
  readonly gameState: readonly Entry[];
}

/** The answer to the game about a round, as it is now (C2). */
export function replyOf(round: Round): RoundReply {
  const { owner, gameRound, state, entries } = round;
  const stake = stakeOf(round);
  return {
    owner,
    gameRound,
    status: state === 'open' || state === 'starting' ? 'open' : 'closed',
    outcome: state,
    stake,
    baseStake: baseStake(stake, owner.currencyMultiplier),
    amountToCollect: amountToCollect(round),
    amountCredited: amountCredited(round),
    creditPending: creditPending(round),
    gameState: entries,
  };
}

/** What getGameRoundHistoryInfo adds: the betData of every call, a later one over an earlier (E14.2). */
export function protectedInfoOf({ entries }: Round): Texts {
  return Object.assign({}, ...entries.map(({ protectedInfo }) => protectedInfo)) as Texts;
}

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
 * getTokenForGameRound: the round with the player, operator and game of the janitor's token. It has to
 * be of this provider and open (E5.6).
 */
export function decideToken(gameProviderId: string, found: Round | null): Answered | Refused {
  if (found?.owner.gameProviderId !== gameProviderId) return refuse('GAMEROUNDNOTFOUND', 'E5.6');
  if (found.state !== 'open') return refuse('GAMEROUNDNOTACTIVE', 'E5.6');
  return { kind: 'answered', round: found };
}
