import type { CallOptions } from '../../protocol/client/run-call';
import type { ServiceError, SignatureRefusedError } from '../../protocol/client/errors';
import type { RoundReply } from '../../protocol/engine-api/replies';
import type { EngineCaller, EngineInputs } from '../calls/requests';

/** A definite answer of the RGS: nothing happened. */
export type Refusal = ServiceError | SignatureRefusedError;

/** How a lost call ended (S2). */
export type Recovery =
  /** It took effect, once. */
  | { readonly kind: 'done'; readonly round: RoundReply }
  /**
   * It never took effect, and never will: a start is made anew with a new id (S2.2). `refusal` is there where
   * the round was open without it, and the RGS refused the repeated request.
   */
  | { readonly kind: 'notTaken'; readonly refusal?: Refusal }
  /** The round was voided: the player has the stake back. */
  | { readonly kind: 'undone'; readonly round: RoundReply }
  /** For a person: nothing was sent that could move money. `round` is null if it could not be read. */
  | {
      readonly kind: 'unclear';
      readonly round: RoundReply | null;
      readonly why: string;
      readonly refusal?: Refusal;
    };

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

/** A call with a lost reply: its kind, and the request exactly as it was sent. */
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

/** Sends the request of a call, now or again, with the token that the session has now. */
export function sendCall(
  call: EngineCaller,
  lost: Exclude<LostCall, { readonly call: 'start' }>,
  token: string,
  options: CallOptions,
): Promise<RoundReply> {
  switch (lost.call) {
    case 'addBet':
      return call('startGameOrAddBet', { ...lost.request, token }, options);
    case 'addWin':
      return call('addWin', { ...lost.request, token }, options);
    case 'wagerWin':
      return call('wagerWin', { ...lost.request, token }, options);
    case 'spin':
      return call('addSpinCounterGameState', { ...lost.request, token }, options);
    case 'collect':
      return call('collectWin', { ...lost.request, token }, options);
    case 'end':
      return call('endGameRound', { ...lost.request, token }, options);
    case 'void':
      return call('voidGameRound', { ...lost.request, token }, options);
  }
}
