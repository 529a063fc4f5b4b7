import type { EngineCall, EngineRequests } from '../../protocol/engine-api';

/**
 * Whether an exact repeat of a request is processed like any other repeat (E2.6): a read changes nothing, and a call
 * with a key, or one that closes the round, finds its own effect (E15.1). Every other call would count
 * again, and random numbers would be drawn again.
 */
const isSafe: { readonly [Name in EngineCall]: (request: EngineRequests[Name]) => boolean } = {
  startGameRound: ({ externalGameProviderRoundId }) => externalGameProviderRoundId !== null,
  startGameOrAddBet: () => true,
  addWin: ({ externalGameProviderTransactionId, rngResult }) =>
    externalGameProviderTransactionId !== null || rngResult.rngCallId !== null,
  wagerWin: ({ wagerInformation, rngResult }) =>
    wagerInformation.externalGameProviderTransactionId !== null || rngResult.rngCallId !== null,
  addSpinCounterGameState: () => true,
  collectWin: ({ externalGameProviderTransactionId }) => externalGameProviderTransactionId !== null,
  endGameRound: () => true,
  voidGameRound: () => true,
  getGameRoundInfo: () => true,
  getGameRoundHistoryInfo: () => true,
  getUncollectedAmount: () => true,
  getAvailableSpinCounter: () => true,
  getTokenForGameRound: () => false,
  getBalance: () => true,
  getTokenData: () => true,
  getLastGameRounds: () => true,
  getPlayerData: () => true,
  setPlayerData: () => false,
  getRandomResult: () => false,
  testPing: () => true,
  getOperatorSettings: () => true,
};

/** Whether the request may be processed again although it came before, byte for byte. */
export function mayRepeat<Name extends EngineCall>(
  name: Name,
  request: EngineRequests[Name],
): boolean {
  return isSafe[name](request);
}
