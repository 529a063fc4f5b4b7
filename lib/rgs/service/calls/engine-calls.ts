import type { EngineCall, EngineRequests } from '../../../protocol/engine-api/requests';
import type { EngineReplies } from '../../../protocol/engine-api/replies';
import type { RoundCall } from '../../../protocol/engine-api/calls';
import { decideOnRound, spinsAvailable } from '../../rounds/round-call';
import { carryOut } from '../core/carry-out';
import { contextOf, type Core, type EngineWork, inLane } from '../core/parts';
import { roundReplyOf } from '../core/reply';
import { getOperatorSettings, getPlayerData, getRandomResult, setPlayerData } from './data';
import { availableSpins, historyInfo, lastRounds, roundInfo, uncollectedAmount } from './query';
import { getBalance, getTokenData, testPing, tokenForRound } from './session';
import { type Claims, startRound } from './start';

/** A call on one round that can change it, with its token. */
type WithCall = EngineRequests[RoundCall['call']];

/** addWin, wagerWin, spin counters, collectWin, endGameRound, voidGameRound (E9 to E13). */
function workOnRound(
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

/** The calls of the Game Engine API, by name. */
export type EngineCalls = {
  readonly [Name in EngineCall]: EngineWork<Name>;
};

/** The calls of a service. Each depends on the core that it is given, which names the call itself as the cause. */
export function engineCalls(): EngineCalls {
  const claims: Claims = new Map();
  return {
    startGameRound: (core, id, request) => startRound(core, claims, id, request),
    startGameOrAddBet: (core, id, request) => startRound(core, claims, id, request),
    addWin: workOnRound,
    endGameRound: workOnRound,
    voidGameRound: workOnRound,
    collectWin: workOnRound,
    wagerWin: workOnRound,
    addSpinCounterGameState: workOnRound,
    getGameRoundInfo: roundInfo,
    getGameRoundHistoryInfo: historyInfo,
    getUncollectedAmount: uncollectedAmount,
    getAvailableSpinCounter: availableSpins,
    getTokenForGameRound: tokenForRound,
    getBalance,
    getTokenData,
    getLastGameRounds: lastRounds,
    getPlayerData,
    setPlayerData,
    getRandomResult,
    getOperatorSettings,
    testPing,
  };
}
