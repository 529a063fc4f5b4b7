import type { EngineCall, EngineReplies, EngineRequests } from '../../../protocol/engine-api';
import { type Core } from '../core';
import { getOperatorSettings, getPlayerData, getRandomResult, setPlayerData } from './data';
import { workOnRound } from './on-round';
import { availableSpins, historyInfo, lastRounds, roundInfo, uncollectedAmount } from './query';
import { getBalance, getTokenData, testPing } from './session';
import { type Claims, startRound } from './start';
import { tokenForRound } from './token';

/** The calls of the Game Engine API, by name. */
export type EngineCalls = {
  readonly [Name in EngineCall]: (
    core: Core,
    gameProviderId: string,
    request: EngineRequests[Name],
  ) => Promise<EngineReplies[Name]>;
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
    getBalance: getBalance,
    getTokenData: getTokenData,
    getLastGameRounds: lastRounds,
    getPlayerData: getPlayerData,
    setPlayerData: setPlayerData,
    getRandomResult: getRandomResult,
    getOperatorSettings: getOperatorSettings,
    testPing: testPing,
  };
}
