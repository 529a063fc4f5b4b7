import type { RoundReply } from '../../protocol/engine-api';
import type { EngineInputs } from '../client/requests';

/** The calls of the Game Engine API that recover knows, by the name of what was lost. */
export interface LostRequests {
  readonly start: EngineInputs['startGameRound'];
  readonly addBet: EngineInputs['startGameOrAddBet'];
  readonly addWin: EngineInputs['addWin'];
  readonly wagerWin: EngineInputs['wagerWin'];
  readonly spin: EngineInputs['addSpinCounterGameState'];
  readonly end: EngineInputs['endGameRound'];
  readonly collect: EngineInputs['collectWin'];
  readonly void: EngineInputs['voidGameRound'];
}

/** A call whose reply was lost: what kind, and the request exactly as it was sent. */
export type LostCall = {
  [Kind in keyof LostRequests]: {
    readonly call: Kind;
    readonly request: LostRequests[Kind];
    /** The error of the lost call; thrown again where its outcome stays unknown (S2.1). */
    readonly error?: unknown;
  };
}[keyof LostRequests];

/**
 * The last reply of the round that was seen before the lost call; a {@link RoundReply} fits, with `stake`
 * of its gameRoundInfo.
 */
export interface LastSeen {
  readonly amountToCollect: bigint;
  readonly stake: bigint | null;
  readonly entries: RoundReply['gameState'];
  /** Of the counter of a lost spin; null or absent if not known. */
  readonly spinsAvailable?: number | null;
}

/** What recover needs: the session, the round, the lost call and what was known before it. */
export interface LostRound {
  readonly token: string;
  readonly gameRound: string;
  readonly lost: LostCall;
  /** Null if no reply of the round was seen. */
  readonly last: LastSeen | null;
}

/** What a round's reply leaves to compare with later. */
export function lastSeenOf(reply: RoundReply): LastSeen {
  const { amountToCollect, gameRoundInfo, gameState, spinsAvailable } = reply;
  return { amountToCollect, stake: gameRoundInfo.stake, entries: gameState, spinsAvailable };
}
