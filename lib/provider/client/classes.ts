import type { EngineCall } from '../../protocol/engine-api';

/**
 * What a repeat of a call does (S1). Reads change nothing. A harmless call has the same result twice. A void
 * is repeated as its specification says (G 7.3). Money is never repeated blindly: see recover. Numbers drawn
 * twice are a matter for the auditor.
 */
export type CallClass = 'read' | 'harmless' | 'void' | 'money' | 'draw';

/** The class of every call (S1). */
export const callClasses: Readonly<Record<EngineCall, CallClass>> = {
  getGameRoundInfo: 'read',
  getGameRoundHistoryInfo: 'read',
  getBalance: 'read',
  getPlayerData: 'read',
  getOperatorSettings: 'read',
  getAvailableSpinCounter: 'read',
  getUncollectedAmount: 'read',
  getTokenData: 'read',
  getLastGameRounds: 'read',
  testPing: 'read',
  setPlayerData: 'harmless',
  getTokenForGameRound: 'harmless',
  voidGameRound: 'void',
  startGameRound: 'money',
  startGameOrAddBet: 'money',
  addWin: 'money',
  wagerWin: 'money',
  addSpinCounterGameState: 'money',
  endGameRound: 'money',
  collectWin: 'money',
  getRandomResult: 'draw',
};

/** Whether the client repeats a call by itself after a 5xx, a time-out or a network failure (S1). */
export function isRepeatedByItself(name: EngineCall): boolean {
  return !['money', 'draw'].includes(callClasses[name]);
}
