import { type EngineCall, EngineRefusedError } from '../../../protocol/engine-api';
import type { Round } from '../../rounds';
import { type Grant, isServedAfterEnd, isServedFor } from '../../sessions';
import type { State } from '../state';

/** Who makes a call: the token, and what it gives access to (E5.8). */
export interface Caller {
  readonly token: string;
  readonly grant: Grant;
}

/** The parts of a call that say whether its token serves it. */
interface Named {
  readonly gameProviderId: string;
  readonly name: EngineCall;
  readonly token: string;
  /** The round that the call names; null if there is none. */
  readonly gameRound: string | null;
}

/**
 * The session of a call (E4.5). One that ended by time still serves the round that it has open (E5.4).
 * @throws EngineRefusedError 1008 for a token that is not valid, or another provider's (E2.7); 19 for a call that a
 * token of its kind does not make (E5.6, E19.2).
 */
export function callerOf(state: State, now: number, named: Named): Caller {
  const { gameProviderId, name, token, gameRound } = named;
  const found = state.sessions.find(token, now);
  if (found === null) throw new EngineRefusedError('SESSIONINVALID', 'E5.3');
  const { grant } = found;
  if (grant.owner.gameProviderId !== gameProviderId) {
    // The text names the rule, which is that of an unknown token: the two look the same (E2.7).
    throw new EngineRefusedError('SESSIONINVALID', 'E5.3');
  }
  if (found.state === 'ended') {
    const open = openRoundOf(state, grant);
    const isServed = open !== null && open.gameRound === gameRound && isServedAfterEnd(name);
    if (!isServed) throw new EngineRefusedError('SESSIONINVALID', 'E5.4');
  }
  if (!isServedFor(grant.kind, name)) {
    throw new EngineRefusedError('INVALIDPARAMETER', grant.kind === 'history' ? 'E19.2' : 'E5.6');
  }
  return { token, grant };
}

/** The open round of the player in the session's game; null if there is none (E5.7). */
export function openRoundOf({ rounds }: State, { owner }: Grant): Round | null {
  const isOfGame = (round: Round): boolean =>
    round.owner.gameCode === owner.gameCode && round.owner.gameProviderId === owner.gameProviderId;
  return rounds.openOf(owner).find(isOfGame) ?? null;
}
