import {
  type EngineReplies,
  type EngineRequests,
  type RoundCall,
} from '../../../protocol/engine-api';
import { decideOnRound, spinsAvailable } from '../../rounds';
import { type Core, carryOut, contextOf, inLane, roundReplyOf } from '../core';

/** A call on one round that can change it, with its token. */
type WithCall = EngineRequests[RoundCall['call']];

/** addWin, wagerWin, spin counters, collectWin, endGameRound, voidGameRound (E9 to E13). */
export function workOnRound(
  core: Core,
  gameProviderId: string,
  call: WithCall,
): Promise<EngineReplies[RoundCall['call']]> {
  const { call: name, token, gameRound } = call;
  return inLane(core, { gameProviderId, name, token, gameRound }, async (at) => {
    const { state, surroundings } = core;
    const round = await carryOut(core, name, at, () =>
      decideOnRound(contextOf(core, at.caller), state.rounds.find(gameProviderId, gameRound), call),
    );
    const reply = roundReplyOf(state, surroundings, at.caller, round);
    if (call.call !== 'addSpinCounterGameState') return reply;
    return { ...reply, spinsAvailable: spinsAvailable(round, call.counterType) };
  });
}
