import type { PostedCall } from '../../../../lib/protocol/engine-api/read-request';

const round = { token: 't', gameRound: 'round-1' };
const rngResult = { rngCallId: 'r1', winAmount: 10 };
const debitInformation = {
  debitAmount: 100,
  currency: 'EUR',
  externalGameProviderTransactionId: 't1',
};
const start = { token: 't', rngResult: {}, debitInformation, endGame: false };

/** A good body for each call with one (C1). */
export const goodBodies: { readonly [Name in PostedCall]: object } = {
  startGameRound: { ...start, externalGameProviderRoundId: 'round-1' },
  startGameOrAddBet: { ...start, externalGameProviderRoundId: 'round-1' },
  addWin: { ...round, rngResult },
  endGameRound: round,
  voidGameRound: round,
  collectWin: { ...round, externalGameProviderTransactionId: 't1' },
  wagerWin: { ...round, rngResult, wagerInformation: { wagerAmount: 5, currency: 'EUR' } },
  addSpinCounterGameState: {
    ...round,
    counterType: 'customspin',
    rngResult: { rngCallId: 'r1', result: { awarded: 10 } },
    gameStateResult: {},
  },
  getGameRoundInfo: round,
  getGameRoundHistoryInfo: round,
  getUncollectedAmount: round,
  getAvailableSpinCounter: { ...round, counterType: 'customspin' },
  getTokenForGameRound: { gameRound: 'round-1' },
  getBalance: { token: 't' },
  getTokenData: { token: 't' },
  getLastGameRounds: { token: 't' },
  getPlayerData: { token: 't' },
  setPlayerData: { token: 't', data: { data: { level: 3 } } },
  getRandomResult: { token: 't', rngEndPoint: 'getDoubles', rngPayload: { max: 1 } },
  testPing: { testData: 'hello' },
};
