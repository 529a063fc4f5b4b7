import type { Mounted } from '../../platform/http';
import type { PostedCall } from '../../protocol/engine-api';
import { Api } from '../http/api';
import { mountApi } from '../http/mount';
import { browserCalls } from './browser-endpoint';
import { type EngineHandlerOptions, readOptions } from './options';
import { postedCall, settingsCall } from './signed-endpoint';

/** The Game Engine API of the RGS, without a framework. */
export type EngineHandler = Mounted;

/** Every call with a body; a call that is missing here does not compile. */
const posted: { readonly [Name in PostedCall]: true } = {
  startGameRound: true,
  startGameOrAddBet: true,
  addWin: true,
  endGameRound: true,
  voidGameRound: true,
  collectWin: true,
  wagerWin: true,
  addSpinCounterGameState: true,
  getGameRoundInfo: true,
  getGameRoundHistoryInfo: true,
  getUncollectedAmount: true,
  getAvailableSpinCounter: true,
  getTokenForGameRound: true,
  getBalance: true,
  getTokenData: true,
  getLastGameRounds: true,
  getPlayerData: true,
  setPlayerData: true,
  getRandomResult: true,
  testPing: true,
};

/**
 * The Game Engine API over Node's request and response (game-engine-api 4, E2, E3): every call of a game
 * provider, verified before it is parsed, and the unsigned calls of a browser.
 * @throws TypeError for wrong options, at creation.
 */
export function createEngineHandler(options: EngineHandlerOptions): EngineHandler {
  const settings = readOptions(options);
  const api = new Api(settings, { caller: 'E2.1', path: 'E1.4', body: 'E2.4' });
  const calls = [
    ...(Object.keys(posted) as PostedCall[]).map((name) => postedCall(name, api, settings)),
    settingsCall(api, settings),
    ...browserCalls(settings),
  ];
  return mountApi(calls, api);
}
