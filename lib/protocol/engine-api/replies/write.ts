import { JsonText, type Writable, writeJson } from '../../json';
import type { EngineErrorObject } from '../errors';
import type { ConnectReply, EngineCall, EngineReplies, RoundReply } from '../messages';
import {
  balanceMembers,
  entryMembers,
  freePlayMembers,
  type Members,
  playerDataMembers,
  present,
  roundInfoMembers,
  tokenDataMembers,
  units,
} from './write-parts';

const writers: { readonly [Name in EngineCall]: (reply: EngineReplies[Name]) => Members } = {
  startGameRound: roundMembers,
  startGameOrAddBet: roundMembers,
  addWin: roundMembers,
  endGameRound: roundMembers,
  voidGameRound: roundMembers,
  collectWin: roundMembers,
  wagerWin: roundMembers,
  addSpinCounterGameState: roundMembers,
  getGameRoundInfo: roundMembers,
  getGameRoundHistoryInfo: roundMembers,
  getUncollectedAmount: amountMembers,
  getAvailableSpinCounter: (reply) => ({
    ...amountMembers(reply),
    spinsAvailable: reply.spinsAvailable,
  }),
  getTokenForGameRound: sessionMembers,
  getBalance: balanceMembers,
  getTokenData: sessionMembers,
  getLastGameRounds: (reply) => ({
    ...sessionMembers(reply),
    gameRounds: reply.gameRounds.map(roundInfoMembers),
  }),
  getPlayerData: ({ data }) => ({ data: data.map(playerDataMembers) }),
  setPlayerData: ({ data }) => ({ data: data.map(playerDataMembers) }),
  getRandomResult: (reply) => ({
    ...sessionMembers(reply),
    values: reply.values,
    rngRequestId: reply.rngRequestId ?? undefined,
  }),
  testPing: ({ testDataReceived, ...others }) => ({
    testDataReceived: new JsonText(testDataReceived),
    ...present(others),
  }),
  getOperatorSettings: (settings) => settings,
};

/**
 * The body of a reply (C2): absent members are absent, amounts and decimal texts are JSON numbers digit by
 * digit, payloads are written as their texts.
 */
export function writeReply<Name extends EngineCall>(
  name: Name,
  reply: EngineReplies[Name],
): string {
  const write: (reply: EngineReplies[Name]) => Members = writers[name];
  return writeJson(write(reply));
}

/** The body of the reply to connect and reconnect (C2). */
export function writeConnectReply(reply: ConnectReply): string {
  const { token, backendUrl, logoutUrl, refreshUrl, gameSettings } = reply;
  return writeJson({
    ...reply.further,
    token,
    backendUrl,
    logoutUrl: logoutUrl ?? undefined,
    refreshUrl: refreshUrl ?? undefined,
    ...sessionMembers(reply),
    balance: balanceOrNone(reply),
    gameSettings,
    ...freePlayMembers(reply),
  });
}

/** The body of the reply to a refused call (E3.1). */
export function writeError({ id, msg, clientmsg }: EngineErrorObject): string {
  return writeJson({ errorCode: { id, msg, clientmsg } });
}

function roundMembers(reply: RoundReply): Members {
  return {
    commonGameRoundInfo: {},
    ...reply.further,
    ...sessionMembers(reply),
    balance: balanceOrNone(reply),
    gameRoundInfo: roundInfoMembers(reply.gameRoundInfo),
    gameState: reply.gameState.map(entryMembers),
    amountToCollect: units(reply.amountToCollect),
    amountCredited: units(reply.amountCredited),
    ...freePlayMembers(reply),
    passThroughData: reply.passThroughData,
    protectedInfo: reply.protectedInfo ?? undefined,
    spinsAvailable: reply.spinsAvailable ?? undefined,
  };
}

function amountMembers(reply: EngineReplies['getUncollectedAmount']): Members {
  return { ...sessionMembers(reply), amountToCollect: units(reply.amountToCollect) };
}

function sessionMembers({ tokenData }: EngineReplies['getTokenData']): Members {
  return { tokenData: tokenDataMembers(tokenData) };
}

function balanceOrNone({ balance }: Pick<RoundReply, 'balance'>): Writable {
  return balance === null ? undefined : balanceMembers(balance);
}
